/** What was proven of a server on the network before anything of it could be admitted, check by check. */

import type { SurfaceFinding } from './check-surface.ts';
import { custodyOf } from './custody/custody-rules.ts';
import type { Provider } from './ports/provider-store.ts';
import type { HttpTransport, ProviderProfile } from './profile.ts';

const ADMISSION_CHECKS = [
  'target_authorisation',
  'credential_custody',
  'timeouts',
  'response_quarantine',
] as const;

export interface AdmissionCheck {
  readonly check: (typeof ADMISSION_CHECKS)[number];
  readonly outcome: 'passed' | 'failed' | 'not_reached';
  readonly detail: string;
  readonly at: number;
}

/** How an attempt to discover it ended. */
export type Attempt =
  | { readonly findings: readonly SurfaceFinding[] }
  | { readonly failure: string; readonly kind?: string | undefined };

export const withAdmission = (provider: Provider, at: number, attempt: Attempt): Provider => ({
  ...provider,
  profile: { ...provider.profile, admission: admissionOf(provider.profile, at, attempt) },
});

/** Programs that we run ourselves are dialled nowhere. */
function admissionOf(profile: ProviderProfile, at: number, attempt: Attempt): readonly AdmissionCheck[] {
  const { transport } = profile;
  if (transport.kind !== 'streamable_http') return [];
  const failed = 'failure' in attempt ? failedCheck(attempt.kind) : ADMISSION_CHECKS.length;
  const details = [
    targetOf(transport),
    custodyIn(profile, transport),
    timesOf(profile),
    quarantineOf('failure' in attempt ? [] : attempt.findings),
  ];
  return ADMISSION_CHECKS.map((check, index) => {
    if (index > failed) return { check, outcome: 'not_reached', detail: '', at };
    if (index === failed && 'failure' in attempt)
      return { check, outcome: 'failed', detail: attempt.failure, at };
    return { check, outcome: 'passed', detail: details[index] ?? '', at };
  });
}

const FAILED_AT: Readonly<Record<string, AdmissionCheck['check']>> = {
  credential: 'credential_custody',
  timeout: 'timeouts',
  too_large: 'response_quarantine',
  invalid: 'response_quarantine',
  unpinnable: 'response_quarantine',
};

const failedCheck = (kind = ''): number =>
  ADMISSION_CHECKS.indexOf(FAILED_AT[kind] ?? 'target_authorisation');

const targetOf = ({ url, privateNetwork }: HttpTransport): string =>
  `reached at ${new URL(url).origin} alone, without redirects; private networks ${privateNetwork ? 'allowed' : 'refused'}`;

function custodyIn(profile: ProviderProfile, { url }: HttpTransport): string {
  if (profile.credentialRef === null) return 'none is named, none but a connection made for it is sent';
  const whose = custodyOf(profile).perUser ? 'of each caller' : 'shared by all callers';
  return `${profile.credentialRef}, ${whose}, put in when it is sent, to ${new URL(url).origin} alone`;
}

const timesOf = ({ limits }: ProviderProfile): string =>
  `connect ${limits.connectMs} ms, discovery ${limits.discoveryMs} ms, call ${limits.callMs} ms, idle ${limits.idleMs} ms`;

const quarantineOf = (findings: readonly SurfaceFinding[]): string =>
  `what it shows was screened: ${findings.filter(({ severity }) => severity === 'hold').length} held; every answer waits for a verdict`;

/** Registers an upstream server: how it is reached, and nothing more. */
import { invalidInput, SluiceError } from '../../kernel/errors.ts';
import { requireTicket, type WriteTicket } from '../../kernel/ticket.ts';
import { checkCredentialRef } from './custody/credential-ref.ts';
import { type Custody, checkCustody } from './custody/custody-rules.ts';
import { findSecrets } from './firewall/find-secrets.ts';
import { DEFAULT_RULES } from './firewall/rules.ts';
import type { Sensitivity } from './firewall/token-shapes.ts';
import { looksLike } from './look-alike.ts';
import type { ProviderMeans } from './means.ts';
import { keep } from './move-provider.ts';
import type { Provider } from './ports/provider-store.ts';
import {
  checkProviderId,
  checkTransport,
  DEFAULT_PROVIDER_LIMITS,
  type ProviderLimits,
  type ProviderProfile,
  type Relay,
  type Transport,
} from './profile.ts';

export interface NewProvider {
  readonly id: string;
  readonly displayName?: string | undefined;
  readonly transport: Transport;
  readonly limits?: Partial<ProviderLimits> | undefined;
  readonly credentialRef?: string | undefined;
  readonly custody?: Custody | undefined;
  /** What it is told that it may ask for; some servers show more tools to those who can be asked. */
  readonly relays?: readonly Relay[] | undefined;
  /** Another provider that is the same program, so that their tools are not taken for copies. */
  readonly sameAs?: string | undefined;
}

export async function registerProvider(
  use: ProviderMeans,
  ticket: WriteTicket,
  wanted: NewProvider,
): Promise<Provider> {
  const { tx, submission } = requireTicket(ticket, 'provider', 'land');
  const id = checkProviderId(wanted.id);
  const ours = [...use.reservedIds()].find((name) => looksLike(name) === looksLike(id));
  if (ours !== undefined) throw invalidInput('id', `must not be "${id}", which tools of Sluice have`);
  const like = use.directory
    .all()
    .find(({ profile }) => profile.id !== id && looksLike(profile.id) === looksLike(id));
  if (like) throw invalidInput('id', `must not be "${id}", which looks like "${like.profile.id}"`);
  checkFit(wanted);
  refuseSecretWords(id, wanted.transport);
  const known = await use.providers.find(tx, id);
  if (known && known.state !== 'REMOVED')
    throw new SluiceError(
      'conflict',
      `There is a provider "${id}" already; "sluice provider remove ${id}" takes it away`,
      {
        reason: 'exists',
      },
    );
  const profile: ProviderProfile = {
    id,
    displayName: wanted.displayName ?? id,
    transport: checkTransport(wanted.transport),
    allowedTools: [],
    surfacePin: null,
    ...(wanted.relays && { relays: wanted.relays }),
    ...(wanted.sameAs !== undefined && { sameAs: firstOfProgram(use, wanted.sameAs) }),
    trust: 'USER_ADDED_REVIEWED',
    credentialRef: wanted.credentialRef === undefined ? null : checkCredentialRef(wanted.credentialRef),
    ...(wanted.custody && { custody: checkCustody(wanted.custody) }),
    limits: { ...DEFAULT_PROVIDER_LIMITS, ...wanted.limits },
  };
  const provider: Provider = {
    profile,
    state: 'REGISTERED',
    reasonCode: 'added',
    reason: 'added, not discovered yet',
    seen: null,
    admitted: null,
    findings: [],
    drift: [],
    createdAt: submission.at,
    updatedAt: submission.at,
  };
  await keep(use, tx, submission, null, provider);
  return provider;
}

function firstOfProgram({ directory }: ProviderMeans, id: string): string {
  const known = directory.find(id);
  if (!known) throw invalidInput('same_as', `must be a provider, and there is no "${id}"`);
  return known.profile.sameAs ?? id;
}

/** Its words are shown in lists and to everybody who looks at the processes of the machine. */
function refuseSecretWords(id: string, transport: Transport): void {
  if (transport.kind !== 'stdio_command') return;
  const isCredential = (found: Sensitivity): boolean => found === 'CREDENTIAL_LIKE';
  const { found } = findSecrets(DEFAULT_RULES, [transport.command, ...transport.args], isCredential);
  if (!found.some((secret) => isCredential(secret.class))) return;
  throw invalidInput(
    'command',
    `must hold no credential; keep it with "sluice credential set connector://${id}" and give the program a variable with it: --env NAME=connector://${id}`,
  );
}

/** A program has no headers, and a server on the network no environment of ours. */
function checkFit({ transport, credentialRef, custody }: NewProvider): void {
  const program = transport.kind === 'stdio_command';
  if (program && credentialRef !== undefined)
    throw invalidInput('credential', 'is sent over HTTP; a program is given one in "environment"');
  if (!program && Object.keys(custody?.environment ?? {}).length > 0)
    throw invalidInput('environment', 'is for programs; over HTTP "credential" is sent');
}

/** The one place that says why a delegated call did not happen, in the closed codes that every wire knows. */
import { type ErrorCode, type ErrorDetails, SluiceError } from '../../kernel/errors.ts';
import type { Provider } from './ports/provider-store.ts';
import type { FailureKind, UpstreamFailure } from './ports/upstream.ts';
import type { EffectClass } from './profile.ts';

export const refusal = (
  code: ErrorCode & `DELEG_${string}`,
  provider: string,
  message: string,
  details: ErrorDetails = {},
): SluiceError => new SluiceError(code, `${code}: ${message}`, { provider, ...details });

/** Why nothing of a provider in this state can be called, by its code. The words are its owner's, not for callers. */
export function stateRefusal({ profile, state, reasonCode }: Provider): SluiceError {
  const { id } = profile;
  const next = `do without it; its owner looks at it with: sluice provider inspect ${id}`;
  if (state === 'QUARANTINED' && reasonCode === 'drift')
    return refusal('DELEG_PROVIDER_DRIFTED', id, `"${id}" is not what was admitted; ${next}`, {
      state,
      reason_code: reasonCode,
    });
  return refusal('DELEG_PROVIDER_BLOCKED', id, `"${id}" is ${state} (${reasonCode}); ${next}`, {
    state,
    reason_code: reasonCode,
  });
}

/** It said that it did not do it, or that it failed; what ends without saying so, or cannot be read, says nothing. */
const ANSWERED: readonly FailureKind[] = ['refused', 'forbidden', 'credential', 'forgotten'];

/** What a failure says of the call: it never left, it was answered, or nobody knows. */
export function effectAfter({ kind, sent }: UpstreamFailure): 'none' | 'in_doubt' | 'known' {
  if (!sent) return 'none';
  return ANSWERED.includes(kind) ? 'known' : 'in_doubt';
}

/** The provider said why. Its words are untrusted, and not part of the refusal before somebody has looked at them. */
export class RefusedInWords extends SluiceError {
  readonly words: string;

  constructor({ code, message, details }: SluiceError, words: string) {
    super(code, message, details);
    this.words = words;
  }
}

/** A failure of the wire as a refusal. A write that may have happened is never called failed. */
export function failureRefusal(provider: string, effect: EffectClass, failure: UpstreamFailure): SluiceError {
  const details = { diagnostic: DIAGNOSTICS[failure.kind] };
  const unknown = effectAfter(failure) === 'in_doubt';
  if (failure.kind === 'cancelled')
    return new SluiceError('cancelled', 'The call was given up', { provider });
  if (failure.wants)
    return refusal(
      'DELEG_CAPABILITY_NOT_ALLOWED',
      provider,
      `"${provider}" does not answer without asking for something that it cannot ask for`,
      { ...details, wants: failure.wants },
    );
  if (unknown && effect !== 'READ_ONLY' && effect !== 'SENSITIVE_READ')
    return refusal(
      'DELEG_OUTCOME_UNCONFIRMED',
      provider,
      `${failure.message}; whether "${provider}" did it is not known, and it is not sent again`,
      { ...details, outcome: 'unconfirmed' },
    );
  const plain = refusal(CODES[failure.kind], provider, `"${provider}": ${failure.message}`, {
    ...details,
    ...(Number.isSafeInteger(failure.code) && { provider_code: failure.code }),
  });
  return failure.words === undefined ? plain : new RefusedInWords(plain, failure.words);
}

const CODES = {
  connect: 'DELEG_PROVIDER_NOT_FOUND',
  gone: 'DELEG_PROVIDER_NOT_FOUND',
  forbidden: 'DELEG_PROVIDER_NOT_FOUND',
  timeout: 'DELEG_PROVIDER_TIMEOUT',
  credential: 'DELEG_CREDENTIAL_REQUIRED',
  forgotten: 'DELEG_STREAM_TERMINAL_ERROR',
  ended: 'DELEG_STREAM_TERMINAL_ERROR',
  refused: 'DELEG_STREAM_TERMINAL_ERROR',
  too_large: 'DELEG_FIREWALL_SCHEMA_INVALID',
  invalid: 'DELEG_PROVIDER_DRIFTED',
  unpinnable: 'DELEG_PROVIDER_DRIFTED',
  cancelled: 'DELEG_STREAM_TERMINAL_ERROR',
} as const;

const DIAGNOSTICS = {
  connect: 'DELEG_GATEWAY_MCP_CONNECT_FAILED',
  gone: 'DELEG_GATEWAY_MCP_CONNECT_FAILED',
  forbidden: 'DELEG_GATEWAY_MCP_CONNECT_FAILED',
  timeout: 'DELEG_GATEWAY_MCP_TIMEOUT',
  credential: 'DELEG_GATEWAY_MCP_CREDENTIAL_MISSING',
  forgotten: 'DELEG_GATEWAY_PROVIDER_UNAVAILABLE',
  ended: 'DELEG_GATEWAY_PROVIDER_UNAVAILABLE',
  refused: 'DELEG_GATEWAY_MCP_TOOL_CALL_FAILED',
  too_large: 'DELEG_GATEWAY_MCP_RESULT_INVALID',
  invalid: 'DELEG_GATEWAY_MCP_RESULT_INVALID',
  unpinnable: 'DELEG_GATEWAY_MCP_DISCOVERY_FAILED',
  cancelled: 'DELEG_GATEWAY_MCP_TOOL_CALL_FAILED',
} as const;

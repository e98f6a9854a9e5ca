/**
 * The closed table of everything that can go wrong, and how each entry looks on every wire.
 * A new code is a new row here; no surface invents one.
 */

/** `result` = a tool result with `isError`; a number = a JSON-RPC error, where the two protocol eras may differ. */
interface ErrorRow {
  readonly mcp: 'result' | { readonly modern: number; readonly legacy: number };
  readonly http: number;
  readonly exit: number;
  /** `later`: the same call may work later. `changed`: only a different call can. `never`: no call of this caller will. */
  readonly retry: 'later' | 'changed' | 'never';
  readonly meaning: string;
}

const both = (code: number): ErrorRow['mcp'] => ({ modern: code, legacy: code });

export const ERROR_TABLE = {
  parse_error: {
    mcp: both(-32700),
    http: 400,
    exit: 2,
    retry: 'changed',
    meaning: 'The request is not acceptable JSON.',
  },
  invalid_request: {
    mcp: both(-32602),
    http: 400,
    exit: 2,
    retry: 'changed',
    meaning: 'The request does not have the shape its protocol asks for.',
  },
  header_mismatch: {
    mcp: { modern: -32020, legacy: -32602 },
    http: 400,
    exit: 2,
    retry: 'changed',
    meaning: 'A header says something else than the message it comes with.',
  },
  missing_capability: {
    mcp: { modern: -32021, legacy: -32600 },
    http: 400,
    exit: 4,
    retry: 'changed',
    meaning: 'The call has to ask for something, and this client or wire cannot be asked.',
  },
  unknown_method: {
    mcp: both(-32601),
    http: 404,
    exit: 2,
    retry: 'never',
    meaning: 'The protocol method does not exist.',
  },
  unknown_tool: {
    mcp: both(-32602),
    http: 404,
    exit: 3,
    retry: 'changed',
    meaning: 'No such tool or prompt for this caller.',
  },
  resource_not_found: {
    mcp: { modern: -32602, legacy: -32002 },
    http: 404,
    exit: 3,
    retry: 'changed',
    meaning: 'No such resource for this caller.',
  },
  unauthenticated: {
    mcp: both(-32001),
    http: 401,
    exit: 4,
    retry: 'never',
    meaning: 'No valid credential came with the call, or it was revoked meanwhile.',
  },
  denied: {
    mcp: 'result',
    http: 403,
    exit: 4,
    retry: 'never',
    meaning: 'The caller may use the tool, but not like this.',
  },
  entitlement_required: {
    mcp: 'result',
    http: 402,
    exit: 4,
    retry: 'never',
    meaning: 'This build or licence does not include the feature.',
  },
  review_required: {
    mcp: 'result',
    http: 403,
    exit: 4,
    retry: 'never',
    meaning: 'The change needs a person to accept it.',
  },
  invalid_input: {
    mcp: 'result',
    http: 400,
    exit: 2,
    retry: 'changed',
    meaning: 'An argument is missing or wrong; the message names it.',
  },
  not_found: {
    mcp: 'result',
    http: 404,
    exit: 3,
    retry: 'changed',
    meaning: 'The thing the call names does not exist for this caller.',
  },
  ambiguous: {
    mcp: 'result',
    http: 409,
    exit: 3,
    retry: 'changed',
    meaning: 'The name fits several things; the candidates are listed.',
  },
  conflict: {
    mcp: 'result',
    http: 409,
    exit: 5,
    retry: 'changed',
    meaning: 'The state of things moved on or forbids it; what stands against it is attached.',
  },
  payload_too_large: {
    mcp: both(-32600),
    http: 413,
    exit: 2,
    retry: 'changed',
    meaning: 'The call is larger than its limit.',
  },
  output_too_large: {
    mcp: 'result',
    http: 500,
    exit: 6,
    retry: 'changed',
    meaning: 'The answer is larger than its limit; ask for less.',
  },
  rate_limited: {
    mcp: 'result',
    http: 429,
    exit: 6,
    retry: 'later',
    meaning: 'Too many calls, or too many at once.',
  },
  deadline_exceeded: {
    mcp: 'result',
    http: 504,
    exit: 6,
    retry: 'later',
    meaning: 'The call did not end in time.',
  },
  cancelled: { mcp: 'result', http: 499, exit: 7, retry: 'changed', meaning: 'The caller gave the call up.' },
  no_workspace: {
    mcp: both(-32603),
    http: 409,
    exit: 6,
    retry: 'later',
    meaning: 'No workspace is open for this caller.',
  },
  disabled: {
    mcp: both(-32603),
    http: 503,
    exit: 6,
    retry: 'later',
    meaning: 'The administrator switched Sluice off.',
  },
  unavailable: {
    mcp: both(-32603),
    http: 503,
    exit: 6,
    retry: 'later',
    meaning: 'Something the call needs does not work at the moment, the audit log for example.',
  },
  home_locked: {
    mcp: both(-32603),
    http: 503,
    exit: 6,
    retry: 'later',
    meaning: 'Another process has the home open and does not answer.',
  },
  integrity_failed: {
    mcp: 'result',
    http: 500,
    exit: 8,
    retry: 'never',
    meaning: 'A check found that stored data was altered or damaged.',
  },
  DELEG_PROVIDER_NOT_FOUND: {
    mcp: 'result',
    http: 503,
    exit: 6,
    retry: 'later',
    meaning: 'The provider is not there or cannot be reached.',
  },
  DELEG_PROVIDER_BLOCKED: {
    mcp: 'result',
    http: 403,
    exit: 4,
    retry: 'never',
    meaning: 'The provider, or what was asked of it, is not let through.',
  },
  DELEG_CREDENTIAL_REQUIRED: {
    mcp: 'result',
    http: 403,
    exit: 4,
    retry: 'never',
    meaning:
      'The provider takes a credential that is not there or not accepted; the message says how to connect it.',
  },
  DELEG_PROVIDER_BUSY: {
    mcp: 'result',
    http: 429,
    exit: 6,
    retry: 'later',
    meaning: 'The provider has too many calls waiting.',
  },
  DELEG_CAPABILITY_NOT_ALLOWED: {
    mcp: 'result',
    http: 403,
    exit: 4,
    retry: 'never',
    meaning:
      'The tool of the provider was not admitted, has an effect that no policy covers, or needs to ask for what it may not.',
  },
  DELEG_REQUEST_SCHEMA_INVALID: {
    mcp: 'result',
    http: 400,
    exit: 2,
    retry: 'changed',
    meaning: "The arguments are not what the provider's tool takes.",
  },
  DELEG_APPROVAL_REQUIRED: {
    mcp: 'result',
    http: 409,
    exit: 4,
    retry: 'later',
    meaning: 'Somebody has to approve the call first.',
  },
  DELEG_APPROVAL_REJECTED: {
    mcp: 'result',
    http: 403,
    exit: 4,
    retry: 'never',
    meaning: 'Somebody has rejected the call.',
  },
  DELEG_AUDIT_LINEAGE_INVALID: {
    mcp: 'result',
    http: 409,
    exit: 5,
    retry: 'never',
    meaning: 'What happened cannot be told from the records, so nothing is built on it.',
  },
  DELEG_PROVIDER_TIMEOUT: {
    mcp: 'result',
    http: 504,
    exit: 6,
    retry: 'later',
    meaning: 'The provider did not answer in time.',
  },
  DELEG_OUTCOME_UNCONFIRMED: {
    mcp: 'result',
    http: 504,
    exit: 6,
    retry: 'never',
    meaning: 'The provider may or may not have done it; it is not sent again.',
  },
  DELEG_PROVIDER_DRIFTED: {
    mcp: 'result',
    http: 409,
    exit: 5,
    retry: 'never',
    meaning: 'The provider is not what was admitted; a person has to look at it.',
  },
  DELEG_FIREWALL_SCHEMA_INVALID: {
    mcp: 'result',
    http: 502,
    exit: 6,
    retry: 'never',
    meaning: 'The provider answered in a form that is not let through.',
  },
  DELEG_FIREWALL_QUARANTINED: {
    mcp: 'result',
    http: 403,
    exit: 4,
    retry: 'never',
    meaning: "The provider's answer is held back and waits for a person.",
  },
  DELEG_STREAM_TERMINAL_ERROR: {
    mcp: 'result',
    http: 502,
    exit: 6,
    retry: 'later',
    meaning: 'The provider ended the call with an error.',
  },
  internal: {
    mcp: both(-32603),
    http: 500,
    exit: 1,
    retry: 'later',
    meaning: 'A fault of Sluice; the log has the details.',
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERROR_TABLE;

export const errorRow = (code: ErrorCode): ErrorRow => ERROR_TABLE[code];

/** What an error may carry besides its message; never payloads of other callers, never secrets. */
export type ErrorDetails = Readonly<Record<string, unknown>>;

export class SluiceError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'SluiceError';
    this.code = code;
    this.details = details;
  }

  /** The form every wire sends: no stack, no cause. */
  toWire(): { code: ErrorCode; message: string; retry: ErrorRow['retry'] } & Record<string, unknown> {
    return { ...this.details, code: this.code, message: this.message, retry: errorRow(this.code).retry };
  }
}

/** Names the field, the value and what is wanted. */
export function invalidInput(field: string, wanted: string, details: ErrorDetails = {}): SluiceError {
  return new SluiceError('invalid_input', `"${field}" ${wanted}`, { field, ...details });
}

/** Anything that is not ours becomes `internal`; its own words stay in `cause` for the log and reach no caller. */
export function asSluiceError(error: unknown): SluiceError {
  if (error instanceof SluiceError) return error;
  return new SluiceError('internal', 'The call failed inside Sluice; the log has the details', {}, error);
}

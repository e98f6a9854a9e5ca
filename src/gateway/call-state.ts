/**
 * What a handler leaves behind when it asks for something. It travels through the client, so it is sealed with the
 * home's key and bound to the caller, the entry and the arguments: changed, moved or late, it opens nothing.
 */

import { SluiceError } from '../kernel/errors.ts';
import type { ApprovalId, CallId, PrincipalId } from '../kernel/ids.ts';
import type { SecretBox } from '../kernel/ports/secret-box.ts';

export interface StateBinding {
  readonly principal: PrincipalId;
  readonly kind: string;
  readonly name: string;
  readonly inputDigest: string;
}

export interface LeftBehind {
  /** The call that asked. */
  readonly call: CallId;
  readonly state: unknown;
  /** What it asked for, or used, of a person's yes. */
  readonly approval?: ApprovalId | undefined;
}

/** A person may have to think about the answer. */
const KEEP_STATE_MS = 10 * 60 * 1000;
const MAX_STATE_CHARACTERS = 64 * 1024;

const purposeOf = ({ principal, kind, name, inputDigest }: StateBinding): string =>
  `call-state\n${principal}\n${kind}\n${name}\n${inputDigest}`;

export function sealState(
  secrets: SecretBox,
  now: number,
  binding: StateBinding,
  { call, state, approval }: LeftBehind,
): string {
  const sealed = secrets.seal(
    JSON.stringify({ call, state, approval, until: now + KEEP_STATE_MS }),
    purposeOf(binding),
  );
  if (sealed.length > MAX_STATE_CHARACTERS)
    throw new SluiceError('internal', `${binding.name} leaves more behind than may travel with a call`);
  return sealed;
}

/** Throws `invalid_request` in the same words whatever is wrong. */
export function openState(
  secrets: SecretBox,
  now: number,
  binding: StateBinding,
  sealed: string,
): LeftBehind {
  const opened = sealed.length > MAX_STATE_CHARACTERS ? undefined : tryOpen(secrets, binding, sealed);
  if (!opened || opened.until < now) {
    throw new SluiceError('invalid_request', 'The request state is not of this call, or too old', {
      field: 'requestState',
    });
  }
  return opened;
}

function tryOpen(
  secrets: SecretBox,
  binding: StateBinding,
  sealed: string,
): (LeftBehind & { readonly until: number }) | undefined {
  try {
    return JSON.parse(secrets.open(sealed, purposeOf(binding)));
  } catch (error) {
    if (error instanceof SluiceError && error.code === 'integrity_failed') return undefined;
    throw error;
  }
}

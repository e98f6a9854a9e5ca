/** References to credentials: what a profile says in the place of one. */
import { invalidInput } from '../../../kernel/errors.ts';

const CREDENTIAL_REF = /^(connector|key-source|grant):\/\/[A-Za-z0-9._/-]{1,200}$/;

/** Somebody who writes the credential itself where its name belongs. */
const LOOKS_RAW = /authorization|bearer/i;

export function checkCredentialRef(ref: string, field = 'credential'): string {
  if (CREDENTIAL_REF.test(ref) && !LOOKS_RAW.test(ref)) return ref;
  throw invalidInput(
    field,
    'must be a reference such as connector://github, without the words "authorization" and "bearer"',
  );
}

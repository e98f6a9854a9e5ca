/** What callers say of their calls, checked for form. */
import { SluiceError } from '../kernel/errors.ts';

/** Short and printable, because claims end up in history and audit. */
export function checkClaim(name: string, value: string): string {
  if (/^[\w.:@/-]{1,128}$/.test(value)) return value;
  throw new SluiceError('invalid_request', `The ${name} must be 1 to 128 letters, digits or _.:@/-`);
}

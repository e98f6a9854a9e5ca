/** Text that both databases can keep as it is. PostgreSQL has no place for NUL, so SQLite is given none either. */
import { SluiceError } from '../../kernel/errors.ts';

/** For what callers sent: refused, because nothing of theirs is ever changed unseen. */
export function refuseNul(values: readonly unknown[]): void {
  if (values.some(holdsNul)) throw new SluiceError('invalid_input', 'Text must not hold NUL characters');
}

function holdsNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  return Array.isArray(value) && value.some(holdsNul);
}

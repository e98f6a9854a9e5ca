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

const UNKEEPABLE = /[\0\ud800-\udfff]/;

const isKeepable = (value: unknown): boolean => typeof value !== 'string' || !UNKEEPABLE.test(value);

/** For what must be kept in any case: characters that cannot be are replaced before anything is computed from them. */
export function keepable<T extends object>(record: T): T {
  if (Object.values(record).every(isKeepable)) return record;
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [
      key,
      typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\uFFFD') : value,
    ]),
  ) as T;
}

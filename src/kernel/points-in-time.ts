/** Times as people write them: a date, a date with time, or how long from now. */
import { invalidInput } from './errors.ts';

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** `30d`, `12h`, `90m`, `2w` count from now; everything else must be ISO 8601. `sign` −1 counts back. */
export function readPointInTime(field: string, text: string, now: number, sign: 1 | -1): number {
  const span = /^(\d{1,6})([mhdw])$/.exec(text.trim());
  if (span) return now + sign * Number(span[1]) * (UNITS[span[2] ?? ''] ?? 0);
  const at = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at))
    throw invalidInput(field, 'must be a date such as 2027-01-31 or a span such as 30d, 12h or 90m');
  return at;
}

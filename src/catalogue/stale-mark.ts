/** What lists say of an entry whose server could not be reached: it is shown as it was admitted. */
import type { Registration } from './registration.ts';

/** For clients of both eras. */
const STALE = 'dev.sluice/stale';

export type StaleMark = { readonly _meta?: Readonly<Record<string, unknown>> };

export function staleMark(entry: Pick<Registration, 'staleSince'>): StaleMark {
  const since = staleSince(entry);
  return since === undefined ? {} : { _meta: { [STALE]: { since } } };
}

/** As text; undefined for what is not stale. */
export function staleSince(entry: Pick<Registration, 'staleSince'>): string | undefined {
  const since = entry.staleSince();
  return since === null ? undefined : new Date(since).toISOString();
}

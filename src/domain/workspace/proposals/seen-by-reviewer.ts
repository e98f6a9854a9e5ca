/** A yes means what was looked at: a new page that its maker changed after the reviewer read it is shown again first. */
import { SluiceError } from '../../../kernel/errors.ts';
import type { Landing } from '../../../kernel/ticket.ts';
import type { WorkspaceMeans } from '../means.ts';
import type { PageHeader } from '../page.ts';

/** The versions that the reviewer's run has read, by page. */
export type Seen = ReadonlyMap<string, string>;

export async function seenInRun(
  use: Pick<WorkspaceMeans, 'trail'>,
  { tx, submission }: Landing,
): Promise<Seen> {
  const read = await use.trail.ofRun(tx, submission.caller.context.run);
  return new Map(read.map(({ id, version }) => [id, version]));
}

/** Behind more events than these since somebody looked there may be any change. */
const EVENTS_LOOKED_AT = 200;

/** Whoever never read it may still say yes; what the reviewer wrote into it is known to the reviewer. */
export async function requireUnchangedSinceSeen(
  use: Pick<WorkspaceMeans, 'events'>,
  { tx, submission }: Landing,
  page: PageHeader,
  seen: string | undefined,
): Promise<void> {
  if (seen === undefined || seen === page.version) return;
  const events = await use.events.ofPage(tx, page.id, EVENTS_LOOKED_AT);
  const known = events.findIndex(({ afterVersion }) => afterVersion === seen);
  const since = known < 0 ? events : events.slice(0, known);
  const reviewer = submission.caller.principal.id;
  const other = since.find(
    ({ beforeVersion, afterVersion, principal }) => beforeVersion !== afterVersion && principal !== reviewer,
  );
  if (known >= 0 && !other) return;
  const what = `${other?.principalName ?? 'Somebody'} has changed "${page.title}" since you looked at it; look again with read_proposal, or give the "version" that you accept`;
  throw new SluiceError('conflict', what, { reason: 'stale', version: page.version, seen });
}

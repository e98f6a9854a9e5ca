/**
 * Whether a file may be taken away, replaced or put back: the pages that show it have a say in it, and so have the zone
 * it lies in and whoever brought it. To link to a file gives nobody a right to it.
 */
import { SluiceError } from '../../../kernel/errors.ts';
import { ReviewRequired } from '../../../kernel/review-required.ts';
import { OUTERMOST } from '../../../kernel/sight.ts';
import { lowerTrust, type Submission } from '../../../kernel/submission.ts';
import type { Landing } from '../../../kernel/ticket.ts';
import type { WorkspaceMeans } from '../means.ts';
import type { PageHeader } from '../page.ts';
import { requireMayChange, workspaceOf } from '../page-rules.ts';
import type { Attachment } from '../ports/file-store.ts';
import { targetKey } from '../resolve-link.ts';
import { bringerOf, lifecycleAt, requireLevel } from './may-write.ts';

/** A program that speaks in a person's name has none of that person's files. */
export function isOwnFile(submission: Submission, { broughtBy }: Pick<Attachment, 'broughtBy'>): boolean {
  const { principal, allowedOrigin, declaredOrigin = 'authored' } = submission.caller;
  const isPerson = lowerTrust(allowedOrigin, declaredOrigin) === 'authored';
  return broughtBy === bringerOf(submission) && (isPerson || principal.kind !== 'author');
}

/** One file, in the zones where it lies. */
export async function requireMayChangeFile(
  use: Pick<WorkspaceMeans, 'pages' | 'links'>,
  landing: Landing,
  path: string,
  files: readonly Pick<Attachment, 'zone' | 'broughtBy'>[],
): Promise<void> {
  const { submission } = landing;
  const showing = await pagesShowing(
    use,
    landing,
    path,
    files.map(({ zone }) => zone),
  );
  requireMayChange(submission, showing);
  const places = files.map(({ zone }) => ({ title: path, zone }));
  requireLevel(submission, places, 'path');
  if (places.every((place) => lifecycleAt(submission, place) === 'canonical')) return;
  if (files.every((file) => isOwnFile(submission, file))) return;
  const [first] = showing;
  if (first)
    throw new ReviewRequired(`Another brought "${path}"; an author has to make this change`, first.id);
  // No page speaks for a file that none shows, so nobody can be asked about it.
  throw new SluiceError(
    'denied',
    `No page links to "${path}"; only an author, or who brought it, takes it away or puts it back`,
    { field: 'path' },
  );
}

/** Of its own zones: a link from elsewhere can be anybody's, and whoever sees that page would hear of the file. */
async function pagesShowing(
  use: Pick<WorkspaceMeans, 'pages' | 'links'>,
  { tx, submission }: Landing,
  path: string,
  zones: readonly Attachment['zone'][],
): Promise<readonly PageHeader[]> {
  const workspace = workspaceOf(submission);
  const links = await use.links.byKeys(tx, workspace, [targetKey(path)]);
  const sources = new Set(links.filter(({ status }) => status === 'file').map(({ source }) => source));
  const pages = await use.pages.headers(tx, workspace, [...sources]);
  return zones.includes(OUTERMOST) ? pages : pages.filter(({ zone }) => zones.includes(zone ?? OUTERMOST));
}

/** Where a caller may put pages without seeing any: it names the box, and what lies in it stays out of sight. */
import { SluiceError } from '../../../kernel/errors.ts';
import type { PageId, WorkspaceId } from '../../../kernel/ids.ts';
import type { Submission } from '../../../kernel/submission.ts';
import type { Landing } from '../../../kernel/ticket.ts';
import { findPage } from '../find-page.ts';
import type { WorkspaceMeans } from '../means.ts';
import { nameKey, slugOf } from '../names.ts';
import type { PageHeader } from '../page.ts';
import { levelOf } from './may-write.ts';

/** A page to put others below: one that the caller sees, or a box that it was given. */
export async function findParent(
  use: Pick<WorkspaceMeans, 'pages'>,
  { tx, submission }: Landing,
  workspace: WorkspaceId,
  reference: string,
): Promise<PageHeader> {
  const drops = submission.sight?.drops ?? [];
  const boxes = await use.pages.headers(tx.unveiled, workspace, drops as readonly PageId[]);
  const key = nameKey(reference);
  const meant = boxes.filter(
    ({ id, slug, title, trashBatch }) =>
      trashBatch === null && [id, nameKey(slug), nameKey(title)].includes(key),
  );
  if (meant.length === 0) return findPage(use, tx, workspace, reference, 'parent');
  if (meant.length === 1 && meant[0]) return meant[0];
  throw new SluiceError('ambiguous', `"${reference}" fits ${meant.length} drop boxes; give an id`, {
    field: 'parent',
    candidates: meant.map(({ id, title }) => ({ id, title })),
  });
}

/** In a box a slug must not tell which others are taken, so each has the end of its page's id. */
export function slugIn(submission: Submission, parent: PageHeader | null, title: string, id: PageId): string {
  const slug = slugOf(title);
  return levelOf(submission, parent) === 'drop'
    ? slugOf(`${[...slug].slice(0, 60).join('')} ${id.slice(-12)}`)
    : slug;
}

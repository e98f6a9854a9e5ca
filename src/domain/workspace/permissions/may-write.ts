/** What a caller's sight lets it write: whether it may change a page or add one, and what such a page then counts as. */
import { SluiceError } from '../../../kernel/errors.ts';
import { atLeast, type Level, OUTERMOST } from '../../../kernel/sight.ts';
import type { Lifecycle, Submission } from '../../../kernel/submission.ts';
import type { PageHeader } from '../page.ts';

type Placed = Pick<PageHeader, 'title' | 'zone'>;

export const levelOf = ({ sight }: Submission, page: Placed | null): Level =>
  sight?.levelIn(page?.zone ?? OUTERMOST) ?? 'write';

/** Whose a file is that comes with it. */
export const bringerOf = ({ caller, accepted }: Submission): string => (accepted?.by ?? caller).principal.id;

/** Refuses pages that the caller may see and no more. */
export function requireLevel(submission: Submission, pages: readonly Placed[], field = 'page'): void {
  const kept = pages.find((page) => !atLeast(levelOf(submission, page), 'propose'));
  if (kept) throw new SluiceError('denied', `You may read "${kept.title}" but not change it`, { field });
}

/** Refuses where the caller may not put a page; answers the most final lifecycle that it may have there. */
export function requireMayAdd(submission: Submission, parent: Placed | null, field = 'parent'): Lifecycle {
  const level = levelOf(submission, parent);
  if (level !== 'drop' && !atLeast(level, 'propose')) {
    const where = parent ? `below "${parent.title}"` : 'at the root';
    throw new SluiceError('denied', `You may not add pages ${where}`, { field });
  }
  return lifecycleAt(submission, parent);
}

/** Short of the level that writes, what a caller brings waits for an author, as an agent's does. */
export function lifecycleAt(submission: Submission, page: Placed | null): Lifecycle {
  const { lifecycle, rehearsal } = submission;
  // A rehearsal tries what would be if an author had agreed.
  if (rehearsal) return lifecycle;
  return lifecycle === 'canonical' && !atLeast(levelOf(submission, page), 'write') ? 'candidate' : lifecycle;
}

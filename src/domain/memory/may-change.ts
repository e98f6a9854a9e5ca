/** Who may change an item: what a person has accepted only a person changes, what waits only whoever wrote it, or a person. */
import { SluiceError } from '../../kernel/errors.ts';
import type { Submission } from '../../kernel/submission.ts';
import { type MemoryItem, needsReview } from './memory-item.ts';
import { noSuchItem } from './viewer.ts';

export function requireMayChangeItem(submission: Submission, items: readonly MemoryItem[]): void {
  if (submission.lifecycle === 'canonical') return;
  const { principal } = submission.caller;
  const foreign = items.find(
    (item) => item.lifecycle !== 'canonical' && item.scope !== 'thread' && item.owner !== principal.id,
  );
  if (foreign)
    throw new SluiceError('denied', `The memory "${foreign.id}" is another's`, { memory: foreign.id });
  const canonical = items.find((item) => item.lifecycle === 'canonical' && item.tier !== 'working');
  if (!canonical) return;
  throw new SluiceError(
    'review_required',
    `The ${canonical.tier} memory "${canonical.id}" is canonical; an author has to make this change`,
    { memory: canonical.id },
  );
}

export function requireReviewer(submission: Submission): void {
  if (submission.lifecycle === 'canonical' && submission.caller.scopes.has('review')) return;
  throw new SluiceError('denied', 'Only an author who may review decides what is remembered for good');
}

/** Something that waits for a decision; anything else is not there to be decided on. */
export function requireAwaiting(item: MemoryItem): void {
  if (needsReview(item.tier) && item.lifecycle !== 'canonical' && item.trashedAt === null) return;
  throw noSuchItem(item.id);
}

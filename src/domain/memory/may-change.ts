/** Who may change an item: what a person has accepted only a person changes, what waits only whoever wrote it, or a person. */
import { SluiceError } from '../../kernel/errors.ts';
import { mayReview } from '../../kernel/may-review.ts';
import { ReviewRequired } from '../../kernel/review-required.ts';
import type { Submission } from '../../kernel/submission.ts';
import { awaitsReview, type MemoryItem } from './memory-item.ts';
import { noSuchItem } from './viewer.ts';

export function requireMayChangeItem(submission: Submission, items: readonly MemoryItem[]): void {
  const { accepted, rehearsal, lifecycle, caller } = submission;
  for (const { id, version } of items) rehearsal?.concerns({ kind: 'memory', id, version: String(version) });
  const grown = accepted && items.find(({ id }) => !accepted.entities.has(id));
  if (grown)
    throw new SluiceError('conflict', `The proposal was not about "${grown.id}", which it would change now`, {
      reason: 'grown',
      memory: grown.id,
    });
  if (lifecycle === 'canonical') return;
  const lasting = items.filter(({ tier }) => tier !== 'working');
  const foreign = lasting.find(
    (item) => item.lifecycle !== 'canonical' && item.owner !== caller.principal.id,
  );
  if (foreign)
    throw new SluiceError('denied', `The memory "${foreign.id}" is another's`, { memory: foreign.id });
  const canonical = lasting.find((item) => item.lifecycle === 'canonical');
  if (!canonical) return;
  const message = `The ${canonical.tier} memory "${canonical.id}" is canonical; an author has to make this change`;
  throw new ReviewRequired(message, canonical.id);
}

export function requireReviewer({ accepted, lifecycle, caller }: Submission): void {
  if (accepted || (lifecycle === 'canonical' && mayReview(caller))) return;
  throw new SluiceError('denied', 'Only an author who may review decides what is remembered for good');
}

/** Something that waits for a decision; anything else is not there to be decided on. */
export function requireAwaiting(item: MemoryItem): void {
  if (!awaitsReview(item) && item.look === null) throw noSuchItem(item.id);
}

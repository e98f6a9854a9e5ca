/** What waits for review, as one thing that can be followed. */
import type { Origin } from '../../../kernel/submission.ts';
import type { EventKind } from '../ports/event-log.ts';

/** No id of anything: stands for the list of proposals of a workspace. */
export const REVIEW_QUEUE = 'proposals';

const DECISIVE: readonly EventKind[] = ['change_proposed', 'proposal_accepted', 'proposal_rejected'];

/** True for what adds to the queue or takes from it. */
export const concernsReview = (kind: EventKind, origin: Origin): boolean =>
  DECISIVE.includes(kind) || (kind === 'page_created' && origin !== 'authored') || kind === 'page_restored';

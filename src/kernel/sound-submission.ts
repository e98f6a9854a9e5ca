/** What must hold of every submission before anything is written, whoever made it and whoever asks. */
import { SluiceError } from './errors.ts';
import { mayReview } from './may-review.ts';
import { lowerTrust, type Submission } from './submission.ts';

/** Throws when a submission claims more than its caller can have: the fault is ours, not the caller's. */
export function requireSound(submission: Submission): void {
  const { caller, origin, lifecycle, derived, derivedFrom, accepted } = submission;
  const most = lowerTrust(caller.allowedOrigin, caller.declaredOrigin ?? 'authored');
  if (lowerTrust(most, origin) !== origin) throw unsound(`${origin}, and its caller writes ${most} at most`);
  if (lifecycle === 'canonical' && !mayBeCanonical(submission))
    throw unsound(`canonical, and no author has said so`);
  if (accepted && !mayReview(accepted.by)) throw unsound('accepted by somebody who is no author');
  if (derived && derivedFrom.length === 0) throw unsound('derived, and names no source');
}

/** An agent never makes anything canonical; what is imported is by the owner's word alone. */
function mayBeCanonical({ caller, origin, accepted, rehearsal }: Submission): boolean {
  if (accepted || rehearsal) return true;
  if (caller.principal.kind === 'agent' || caller.principal.kind === 'node') return false;
  return origin === 'authored' || (origin === 'imported' && caller.role === 'owner');
}

const unsound = (claim: string): SluiceError =>
  new SluiceError('internal', `A submission claims to be ${claim}`);

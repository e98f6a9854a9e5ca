/** Step 13: effects that need somebody's yes first. What no policy can describe is refused outright. */
import { SluiceError } from '../../kernel/errors.ts';
import type { Gate } from '../means.ts';
import type { Approved, Valid } from '../stages.ts';

export function requireApproval(_use: Gate, valid: Valid): Approved {
  if (valid.entry.effect === 'unsupported_effect') {
    valid.draft.refusedBy('approval');
    throw new SluiceError('denied', `${valid.entry.name} has an effect that no policy covers`);
  }
  return valid as Approved;
}

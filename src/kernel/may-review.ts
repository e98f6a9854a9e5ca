/** Who counts as an author when something waits for an author's yes. */
import type { Caller } from './caller.ts';
import { lowerTrust } from './submission.ts';

/** A person with the right to, who does not say of himself that a program speaks. */
export function mayReview({ principal, scopes, allowedOrigin, declaredOrigin }: Caller): boolean {
  const origin = lowerTrust(allowedOrigin, declaredOrigin ?? 'authored');
  return principal.kind === 'author' && scopes.has('review') && origin === 'authored';
}

/** Who may say yes to a call that waits for one. */
import type { Caller } from './caller.ts';
import { lowerTrust } from './submission.ts';

/** A person with the right to, who does not say of himself that a program speaks. */
export function mayApprove({ principal, scopes, allowedOrigin, declaredOrigin }: Caller): boolean {
  const origin = lowerTrust(allowedOrigin, declaredOrigin ?? 'authored');
  return principal.kind === 'author' && scopes.has('approvals.decide') && origin === 'authored';
}

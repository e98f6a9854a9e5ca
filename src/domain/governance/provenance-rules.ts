/** Which origin and lifecycle a caller's writes have. The boundary asks this; arguments never decide it. */
import type { Caller } from '../../kernel/caller.ts';
import { SluiceError } from '../../kernel/errors.ts';
import { type Lifecycle, lowerTrust, type Origin } from '../../kernel/submission.ts';

/** What the client declares of itself can only lower the trust its credential gives it. */
export function originOf(caller: Caller): Origin {
  return caller.declaredOrigin
    ? lowerTrust(caller.allowedOrigin, caller.declaredOrigin)
    : caller.allowedOrigin;
}

/** Only an author who may write makes canonical content; imports begin as drafts; the rest waits for review. */
export function lifecycleOf(caller: Caller): Lifecycle {
  const origin = originOf(caller);
  if (origin === 'imported') return 'draft';
  const isProgram = caller.principal.kind === 'agent' || caller.principal.kind === 'node';
  const mayWrite = origin === 'authored' && caller.scopes.has('workspace.write');
  return mayWrite && !isProgram ? 'canonical' : 'candidate';
}

/** What is brought in from elsewhere is a draft; only the owner, and only by saying so, takes it as it is. */
export function importLifecycle(caller: Caller, argument: string, canonical: boolean): Lifecycle {
  if (!canonical) return 'draft';
  if (caller.role === 'owner' && lifecycleOf(caller) === 'canonical') return 'canonical';
  throw new SluiceError('denied', `"${argument}" is for the owner alone: what others import is a draft`, {
    field: argument,
  });
}

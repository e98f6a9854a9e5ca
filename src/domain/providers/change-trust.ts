/** How far a provider is trusted, without deciding anew what of it is let in. What is blocked is kept and never called. */
import { SluiceError } from '../../kernel/errors.ts';
import { requireTicket, type WriteTicket } from '../../kernel/ticket.ts';
import type { ProviderMeans } from './means.ts';
import { loadProvider, move, requirePerson } from './move-provider.ts';
import type { Provider } from './ports/provider-store.ts';
import type { TrustTier } from './profile.ts';

export async function changeTrust(
  use: ProviderMeans,
  ticket: WriteTicket,
  id: string,
  trust: TrustTier,
  reason: string,
): Promise<Provider> {
  const { tx, submission } = requireTicket(ticket, 'provider', 'land');
  requirePerson(submission);
  const before = await loadProvider(use, tx, id);
  const after = { ...before, profile: { ...before.profile, trust } };
  if (trust === 'BLOCKED') return move(use, tx, submission, after, 'DISABLED', 'operator', reason);
  // The reason of a hold stays what it is until somebody has released it.
  if (before.state === 'QUARANTINED')
    throw new SluiceError('conflict', `"${id}" is QUARANTINED; release it with a reason`, {
      reason: 'state',
    });
  return move(use, tx, submission, after, before.state, 'operator', reason);
}

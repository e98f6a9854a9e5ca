/** A person's decision about what was discovered. It is all that makes a provider's tool callable. */
import { invalidInput, SluiceError } from '../../kernel/errors.ts';
import { requireTicket, type WriteTicket } from '../../kernel/ticket.ts';
import { type RestChoice, restAsBefore } from './admit-rest.ts';
import { admit, admittedNames, heldNames } from './admit-tools.ts';
import type { ProviderMeans } from './means.ts';
import { loadProvider, move, requirePerson } from './move-provider.ts';
import type { Provider } from './ports/provider-store.ts';
import type { EffectClass, Relay, TrustTier } from './profile.ts';
import { nameOf } from './surface.ts';

export interface Review extends RestChoice {
  /** Names of tools, or everything that has no finding that holds it. */
  readonly admit: readonly string[] | 'all';
  readonly trust: TrustTier;
  /** What it may ask the one who calls for. */
  readonly relays: readonly Relay[];
  readonly effects: Readonly<Record<string, EffectClass>>;
  readonly reason: string;
}

/** A person has looked at what was discovered and lets these tools in, as they were shown. */
export async function reviewProvider(
  use: ProviderMeans,
  ticket: WriteTicket,
  id: string,
  review: Review,
): Promise<Provider> {
  const { tx, submission } = requireTicket(ticket, 'provider', 'land');
  requirePerson(submission);
  const before = await loadProvider(use, tx, id);
  const { seen } = before;
  if (!seen) throw new SluiceError('conflict', `"${id}" was not discovered yet`, { reason: 'state' });
  if (before.state === 'QUARANTINED')
    throw new SluiceError('conflict', `"${id}" is QUARANTINED; release it with a reason`, {
      reason: 'state',
    });
  if (review.trust === 'BLOCKED') throw invalidInput('trust', 'must not be BLOCKED for what is let in');
  const names = admittedNames(before, seen, review.admit);
  const admitted = admit(before, seen, names, review.trust, review.effects, review);
  const asking = { ...admitted, profile: { ...admitted.profile, relays: review.relays } };
  return move(use, tx, submission, asking, 'READY', 'reviewed', review.reason);
}

/** A person has looked at the drift and takes the new surface for the tools that were let in before. */
export async function releaseProvider(
  use: ProviderMeans,
  ticket: WriteTicket,
  id: string,
  reason: string,
): Promise<Provider> {
  const { tx, submission } = requireTicket(ticket, 'provider', 'land');
  requirePerson(submission);
  const before = await loadProvider(use, tx, id);
  if (before.state !== 'QUARANTINED')
    throw new SluiceError('conflict', `"${id}" is ${before.state}, not QUARANTINED`, { reason: 'state' });
  const again = await move(use, tx, submission, before, 'DISCOVERING', 'released', reason);
  if (!again.seen || !again.admitted) return again;
  const shown = new Set(again.seen.tools.map(nameOf));
  const held = heldNames(again);
  const names = again.profile.allowedTools
    .map(({ name }) => name)
    .filter((name) => shown.has(name) && !held.has(name));
  if (names.length === 0 || held.has('*')) return again;
  const effects = Object.fromEntries(again.profile.allowedTools.map(({ name, effect }) => [name, effect]));
  const rest = restAsBefore(again.profile, again.seen, held);
  const admitted = admit(again, again.seen, names, again.profile.trust, effects, rest);
  return move(use, tx, submission, admitted, 'READY', 'released', reason);
}

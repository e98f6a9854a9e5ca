/** A person's decision about what was discovered. It is all that makes a provider's tool callable. */
import { invalidInput, SluiceError } from '../../kernel/errors.ts';
import { requireTicket, type WriteTicket } from '../../kernel/ticket.ts';
import { type RestChoice, restAsBefore } from './admit-rest.ts';
import { admit, admittedNames, heldNames } from './admit-tools.ts';
import type { ProviderMeans } from './means.ts';
import { loadProvider, move, requirePerson } from './move-provider.ts';
import type { Provider } from './ports/provider-store.ts';
import { checkHost, type EffectClass, type ProviderProfile, type Relay, type TrustTier } from './profile.ts';
import { nameOf } from './surface.ts';

export interface Review extends RestChoice {
  /** Names of tools, or everything that has no finding that holds it. */
  readonly admit: readonly string[] | 'all';
  /** Undefined = as before. */
  readonly trust?: TrustTier | undefined;
  /** What it may ask the one who calls for; undefined = as before. */
  readonly relays?: readonly Relay[] | undefined;
  readonly effects: Readonly<Record<string, EffectClass>>;
  /** Hosts that its answers may refer to; undefined = as before. */
  readonly allowedHosts?: readonly string[] | undefined;
  readonly reason: string;
}

/** A person has looked at what was discovered and lets these tools in, as they were shown. */
export async function reviewProvider(
  use: ProviderMeans,
  ticket: WriteTicket,
  id: string,
  review: Review,
): Promise<{ readonly provider: Provider; readonly dropped: Dropped }> {
  const { tx, submission } = requireTicket(ticket, 'provider', 'land');
  requirePerson(submission);
  const before = await loadProvider(use, tx, id);
  const { seen } = before;
  if (!seen) throw notDiscovered(id);
  const trust = review.trust ?? before.profile.trust;
  if (trust === 'BLOCKED') throw invalidInput('trust', 'must be given and not BLOCKED for what is let in');
  const names = admittedNames(before, seen, review.admit);
  const admitted = admit(before, seen, names, trust, review.effects, review, review.admit !== 'all');
  const allowedHosts = review.allowedHosts?.map(checkHost) ?? before.profile.allowedHosts ?? [];
  const relays = review.relays ?? before.profile.relays ?? [];
  const after = { ...admitted, profile: { ...admitted.profile, allowedHosts, relays } };
  // Whoever looks at what a held provider shows now, and lets it in, has released it with the same decision.
  const free =
    before.state === 'QUARANTINED'
      ? await move(use, tx, submission, after, 'DISCOVERING', 'released', review.reason)
      : after;
  const provider = await move(use, tx, submission, free, 'READY', 'reviewed', review.reason);
  return { provider, dropped: droppedBetween(before.profile, provider.profile) };
}

/** What could be called before, and no longer can. */
export interface Dropped {
  readonly tools: readonly string[];
  readonly prompts: readonly string[];
  readonly resources: readonly string[];
}

function droppedBetween(before: ProviderProfile, after: ProviderProfile): Dropped {
  const gone = (namesIn: (profile: ProviderProfile) => readonly string[]): readonly string[] => {
    const kept = new Set(namesIn(after));
    return namesIn(before).filter((name) => !kept.has(name));
  };
  return {
    tools: gone(({ allowedTools }) => allowedTools.map(({ name }) => name)),
    prompts: gone(({ allowedPrompts = [] }) => allowedPrompts),
    resources: gone(({ allowedResources = [], allowedTemplates = [] }) => [
      ...allowedResources.map(({ uri }) => uri),
      ...allowedTemplates,
    ]),
  };
}

const notDiscovered = (id: string): SluiceError =>
  new SluiceError('conflict', `"${id}" was not discovered yet; do so with: sluice provider discover ${id}`, {
    reason: 'state',
  });

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
  const rest = restAsBefore(again.profile, again.seen, held);
  const admitted = admit(again, again.seen, names, again.profile.trust, {}, rest, false);
  return move(use, tx, submission, admitted, 'READY', 'released', reason);
}

/** Registering, admitting and moving providers. What a person decides here is all that makes a tool callable. */
import { invalidInput, SluiceError } from '../../kernel/errors.ts';
import type { ReadScope, WriteTx } from '../../kernel/ports/unit-of-work.ts';
import type { Submission } from '../../kernel/submission.ts';
import { requireTicket, type WriteTicket } from '../../kernel/ticket.ts';
import { checkSurface, type SurfaceFinding } from './check-surface.ts';
import { type Drift, findDrift, isGrave } from './drift.ts';
import { checkMove, type ProviderState, type ReasonCode } from './lifecycle.ts';
import type { Provider, ProviderStore } from './ports/provider-store.ts';
import {
  checkCredentialRef,
  checkProviderId,
  checkTransport,
  DEFAULT_PROVIDER_LIMITS,
  type EffectClass,
  type ProviderProfile,
  type Transport,
  type TrustTier,
} from './profile.ts';
import type { ProviderDirectory } from './provider-directory.ts';
import { nameOf, type ProviderSurface, pinOfRest, pinOfTool, type Shown } from './surface.ts';

export interface ProviderMeans {
  readonly providers: ProviderStore;
  readonly directory: ProviderDirectory;
  /** Names that are taken, so that no provider can stand before a family of ours. */
  readonly reservedIds: () => ReadonlySet<string>;
  /** What the text of descriptors gives away; see the firewall. */
  readonly screen: (surface: ProviderSurface) => readonly SurfaceFinding[];
}

export interface NewProvider {
  readonly id: string;
  readonly displayName?: string | undefined;
  readonly transport: Transport;
  readonly credentialRef?: string | undefined;
}

export async function registerProvider(
  use: ProviderMeans,
  ticket: WriteTicket,
  wanted: NewProvider,
): Promise<Provider> {
  const { tx, submission } = requireTicket(ticket, 'provider', 'land');
  const id = checkProviderId(wanted.id);
  if (use.reservedIds().has(id)) throw invalidInput('id', `must not be "${id}", which tools of Sluice have`);
  const known = await use.providers.find(tx, id);
  if (known && known.state !== 'REMOVED')
    throw new SluiceError('conflict', `There is a provider "${id}" already`, { reason: 'exists' });
  const profile: ProviderProfile = {
    id,
    displayName: wanted.displayName ?? id,
    transport: checkTransport(wanted.transport),
    allowedTools: [],
    surfacePin: null,
    trust: 'USER_ADDED_REVIEWED',
    credentialRef: wanted.credentialRef === undefined ? null : checkCredentialRef(wanted.credentialRef),
    limits: DEFAULT_PROVIDER_LIMITS,
  };
  const provider: Provider = {
    profile,
    state: 'REGISTERED',
    reasonCode: 'added',
    reason: 'added, not discovered yet',
    seen: null,
    admitted: null,
    findings: [],
    drift: [],
    createdAt: submission.at,
    updatedAt: submission.at,
  };
  await keep(use, tx, submission, null, provider);
  return provider;
}

/** Says that discovery begins; what is found is noted by `noteDiscovery`. */
export async function beginDiscovery(use: ProviderMeans, ticket: WriteTicket, id: string): Promise<Provider> {
  const { tx, submission } = requireTicket(ticket, 'provider', 'land');
  const before = await loadProvider(use, tx, id);
  if (before.state === 'QUARANTINED')
    throw new SluiceError('conflict', `"${id}" is QUARANTINED; release it with a reason`, {
      reason: 'state',
    });
  if (before.state === 'DISCOVERING') return before;
  return move(use, tx, submission, before, 'DISCOVERING', 'discovery_started', 'discovery was started');
}

export type Discovery = { readonly surface: ProviderSurface } | { readonly failure: string };

/** Only Sluice itself notes what it has seen; nobody can tell it what a provider shows. */
export async function noteDiscovery(
  use: ProviderMeans,
  ticket: WriteTicket,
  id: string,
  discovery: Discovery,
): Promise<Provider> {
  const { tx, submission } = requireTicket(ticket, 'provider', 'land');
  requireSystem(submission);
  const before = await loadProvider(use, tx, id);
  if ('failure' in discovery) {
    if (before.state !== 'DISCOVERING') return before;
    const to = before.admitted ? 'DEGRADED' : 'REGISTERED';
    return move(use, tx, submission, before, to, 'discovery_failed', discovery.failure);
  }
  const { surface } = discovery;
  const findings = [...checkSurface(id, surface), ...use.screen(surface)];
  const drift = before.admitted ? findDrift(before.profile, before.admitted, surface) : [];
  const seen = { ...before, seen: surface, findings, drift };
  const { state, code, reason } = judge(before, drift);
  return move(use, tx, submission, seen, state, code, reason);
}

function judge(
  before: Provider,
  drift: readonly Drift[],
): { readonly state: ProviderState; readonly code: ReasonCode; readonly reason: string } {
  if (drift.some(isGrave)) return { state: 'QUARANTINED', code: 'drift', reason: describe(drift) };
  if (!before.admitted)
    return { state: 'DISCOVERING', code: 'discovered', reason: 'waits for somebody to review it' };
  if (drift.length > 0) return { state: 'DEGRADED', code: 'unlisted_changed', reason: describe(drift) };
  return { state: 'READY', code: 'recovered', reason: 'shows what was admitted' };
}

const describe = (drift: readonly Drift[]): string =>
  drift
    .slice(0, 5)
    .map(({ what, name, kind, fields }) => {
      const where = fields
        .slice(0, 3)
        .map(({ path }) => path)
        .join(', ');
      return `${what} ${name} ${kind}${where === '' ? '' : ` (${where})`}`;
    })
    .join('; ');

export interface Review {
  /** Names of tools, or everything that has no finding that holds it. */
  readonly admit: readonly string[] | 'all';
  readonly trust: TrustTier;
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
  const admitted = admit(before, seen, names, review.trust, review.effects);
  return move(use, tx, submission, admitted, 'READY', 'reviewed', review.reason);
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
  const admitted = admit(again, again.seen, names, again.profile.trust, effects);
  return move(use, tx, submission, admitted, 'READY', 'released', reason);
}

export async function moveProvider(
  use: ProviderMeans,
  ticket: WriteTicket,
  id: string,
  to: 'QUARANTINED' | 'DISABLED' | 'REMOVED',
  code: ReasonCode,
  reason: string,
): Promise<Provider> {
  const { tx, submission } = requireTicket(ticket, 'provider', 'land');
  const before = await loadProvider(use, tx, id);
  if (before.state === to) return before;
  return move(use, tx, submission, before, to, code, reason);
}

/** Drift seen on a live connection: what was shown is kept beside what was admitted, and nothing is called any more. */
export async function quarantineForDrift(
  use: ProviderMeans,
  ticket: WriteTicket,
  id: string,
  surface: ProviderSurface,
): Promise<Provider> {
  const { tx, submission } = requireTicket(ticket, 'provider', 'land');
  requireSystem(submission);
  const before = await loadProvider(use, tx, id);
  if (!before.admitted || before.state === 'DISABLED') return before;
  const drift = findDrift(before.profile, before.admitted, surface);
  const findings = [...checkSurface(id, surface), ...use.screen(surface)];
  const seen = { ...before, seen: surface, drift, findings };
  if (before.state === 'QUARANTINED') {
    await use.providers.put(tx, seen);
    tx.afterCommit(() => use.directory.refresh());
    return seen;
  }
  return move(use, tx, submission, seen, 'QUARANTINED', 'drift', describe(drift));
}

function admittedNames(before: Provider, seen: ProviderSurface, wanted: Review['admit']): readonly string[] {
  const shown = seen.tools.map(nameOf);
  const held = heldNames(before);
  if (held.has('*')) throw invalidInput('admit', 'is not possible: the whole provider is held by a finding');
  if (wanted === 'all') {
    const free = shown.filter((name) => !held.has(name));
    if (free.length === 0)
      throw invalidInput('admit', 'leaves nothing: the provider shows no tool that may be let in');
    return free;
  }
  if (wanted.length === 0) throw invalidInput('admit', 'must name at least one tool');
  for (const name of wanted) {
    if (!shown.includes(name))
      throw invalidInput('admit', `names "${name}", which the provider does not show`);
    if (held.has(name))
      throw invalidInput('admit', `names "${name}", which is held: ${problemOf(before, name)}`);
  }
  return [...new Set(wanted)];
}

const heldNames = ({ findings }: Provider): ReadonlySet<string> =>
  new Set(findings.filter(({ severity }) => severity === 'hold').map(({ about }) => about));

const problemOf = ({ findings }: Provider, name: string): string => {
  const found = findings.find(({ about, severity }) => about === name && severity === 'hold');
  return found ? `${found.field} ${found.problem}` : '';
};

function admit(
  provider: Provider,
  seen: ProviderSurface,
  names: readonly string[],
  trust: TrustTier,
  effects: Readonly<Record<string, EffectClass>>,
): Provider {
  const byName = new Map(seen.tools.map((tool) => [nameOf(tool), tool]));
  const allowedTools = names.map((name) => {
    const tool = byName.get(name) ?? {};
    return { name, pin: pinOfTool(tool), effect: effects[name] ?? suggestedEffect(tool) };
  });
  const profile = { ...provider.profile, allowedTools, surfacePin: pinOfRest(seen), trust };
  return { ...provider, profile, admitted: seen, drift: [] };
}

/** What a tool says of itself only ever makes it count as more dangerous than the middle, or as reading. */
export function suggestedEffect(tool: Shown): EffectClass {
  const annotations = (tool.annotations ?? {}) as Shown;
  if (annotations.readOnlyHint === true) return 'READ_ONLY';
  return annotations.destructiveHint === true ? 'EXTERNAL_SIDE_EFFECT' : 'LOCAL_SIDE_EFFECT';
}

export async function loadProvider(
  use: Pick<ProviderMeans, 'providers'>,
  scope: ReadScope,
  id: string,
): Promise<Provider> {
  const found = await use.providers.find(scope, id);
  if (found && found.state !== 'REMOVED') return found;
  throw new SluiceError('not_found', `There is no provider "${id}"`, { field: 'id' });
}

async function move(
  use: ProviderMeans,
  tx: WriteTx,
  submission: Submission,
  before: Provider,
  to: ProviderState,
  reasonCode: ReasonCode,
  reason: string,
): Promise<Provider> {
  if (before.state !== to) checkMove(before.profile.id, before.state, to);
  const after = { ...before, state: to, reasonCode, reason, updatedAt: submission.at };
  await keep(use, tx, submission, before.state, after);
  return after;
}

async function keep(
  use: ProviderMeans,
  tx: WriteTx,
  submission: Submission,
  from: ProviderState | null,
  provider: Provider,
): Promise<void> {
  const { profile, state, reasonCode, reason } = provider;
  await use.providers.put(tx, provider);
  await use.providers.note(tx, {
    provider: profile.id,
    at: submission.at,
    from,
    to: state,
    reasonCode,
    reason,
    actor: submission.caller.principal.name,
    call: submission.callId,
  });
  tx.afterCommit(() => use.directory.refresh());
}

function requireSystem({ caller }: Submission): void {
  if (caller.principal.kind === 'system') return;
  throw new SluiceError('denied', 'Only Sluice itself notes what a provider shows');
}

function requirePerson({ caller }: Submission): void {
  if (caller.principal.kind === 'author') return;
  throw new SluiceError('denied', 'Only a person decides what of a provider is let in');
}

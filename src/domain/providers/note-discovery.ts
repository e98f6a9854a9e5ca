/** Keeps what a provider showed, judges it against what was admitted, and holds it when the two differ. */
import { SluiceError } from '../../kernel/errors.ts';
import type { WriteTx } from '../../kernel/ports/unit-of-work.ts';
import { requireTicket, type WriteTicket } from '../../kernel/ticket.ts';
import { withAdmission } from './admission-record.ts';
import { checkRest } from './check-rest.ts';
import { checkSurface } from './check-surface.ts';
import { type Drift, findDrift, isGrave } from './drift.ts';
import { heldBefore } from './held-before.ts';
import { isInvokable, type ProviderState, type ReasonCode } from './lifecycle.ts';
import type { ProviderMeans } from './means.ts';
import { loadProvider, move, requireSystem } from './move-provider.ts';
import type { Provider, ProviderMove } from './ports/provider-store.ts';
import type { ProviderSurface } from './surface.ts';

/** Says that discovery begins; what is found is noted by `noteDiscovery`. */
export async function beginDiscovery(use: ProviderMeans, ticket: WriteTicket, id: string): Promise<Provider> {
  const { tx, submission } = requireTicket(ticket, 'provider', 'land');
  const before = await loadProvider(use, tx, id);
  if (before.state === 'QUARANTINED')
    throw new SluiceError('conflict', `"${id}" is QUARANTINED; release it with a reason`, {
      reason: 'state',
    });
  if (before.state === 'DISCOVERING' || isInvokable(before.state)) return before;
  return move(use, tx, submission, before, 'DISCOVERING', 'discovery_started', 'discovery was started');
}

export type Discovery =
  | { readonly surface: ProviderSurface }
  | {
      readonly failure: string;
      /** Nobody lived to see how it ended. */
      readonly interrupted?: boolean | undefined;
      /** Of the failure, which tells what could not be proven of it. */
      readonly kind?: string | undefined;
    };

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
  const held = await heldBefore(use, tx, id);
  if ('failure' in discovery) {
    if (before.state !== 'DISCOVERING' && !isInvokable(before.state)) return before;
    const off = discovery.interrupted && (await wasDisabled(use, tx, id));
    if (held && !off) return move(use, tx, submission, before, 'QUARANTINED', held.reasonCode, held.reason);
    const on = before.admitted ? 'DEGRADED' : 'REGISTERED';
    const tried = withAdmission(before, submission.at, discovery);
    return move(use, tx, submission, tried, off ? 'DISABLED' : on, 'discovery_failed', discovery.failure);
  }
  const { surface } = discovery;
  const findings = [...checkSurface(id, surface), ...checkRest(id, surface), ...use.screen(surface, id)];
  const drift = before.admitted ? findDrift(before.profile, before.admitted, surface) : [];
  const seen = {
    ...withAdmission(before, submission.at, { findings }),
    seen: surface,
    findings,
    drift,
  };
  const { state, code, reason } = judge(before, drift, held);
  return move(use, tx, submission, seen, state, code, reason);
}

/** Nobody has seen it since, so it is not switched on. */
async function wasDisabled({ providers }: ProviderMeans, tx: WriteTx, id: string): Promise<boolean> {
  const [begun] = await providers.moves(tx, id, 1);
  return begun?.from === 'DISABLED';
}

function judge(
  before: Provider,
  drift: readonly Drift[],
  held: ProviderMove | undefined,
): { readonly state: ProviderState; readonly code: ReasonCode; readonly reason: string } {
  if (drift.some(isGrave)) return { state: 'QUARANTINED', code: 'drift', reason: describe(drift) };
  if (held) return { state: 'QUARANTINED', code: held.reasonCode, reason: held.reason };
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

/**
 * Drift seen on a live connection: what was shown is kept beside what was admitted, and nothing is called any more. Where
 * only tools moved that nobody may call, that is noted once; what is as it was admitted is called on.
 */
export async function quarantineForDrift(
  use: ProviderMeans,
  ticket: WriteTicket,
  id: string,
  shown: ProviderSurface | { readonly problem: string },
): Promise<Provider> {
  const { tx, submission } = requireTicket(ticket, 'provider', 'land');
  requireSystem(submission);
  const before = await loadProvider(use, tx, id);
  if (!before.admitted || before.state === 'DISABLED') return before;
  // What somebody may be looking at right now is not exchanged for something else.
  if (before.state === 'QUARANTINED') return before;
  if ('problem' in shown) return move(use, tx, submission, before, 'QUARANTINED', 'drift', shown.problem);
  const drift = findDrift(before.profile, before.admitted, shown);
  const findings = [...checkSurface(id, shown), ...checkRest(id, shown), ...use.screen(shown, id)];
  const seen = { ...before, seen: shown, drift, findings };
  if (drift.some(isGrave)) return move(use, tx, submission, seen, 'QUARANTINED', 'drift', describe(drift));
  if (before.state !== 'READY' || drift.length === 0) return before;
  return move(use, tx, submission, seen, 'DEGRADED', 'unlisted_changed', describe(drift));
}

/** A prompt is the provider's own words, not somebody's data that it passes on: what it says is its doing. */
export async function quarantineForPoison(
  use: ProviderMeans,
  ticket: WriteTicket,
  id: string,
  prompt: string,
  rules: readonly string[],
): Promise<Provider> {
  const { tx, submission } = requireTicket(ticket, 'provider', 'land');
  requireSystem(submission);
  const before = await loadProvider(use, tx, id);
  if (before.state === 'DISABLED' || before.state === 'QUARANTINED') return before;
  const reason = `prompt ${prompt} speaks to the model (${rules.join(', ')})`;
  return move(use, tx, submission, before, 'QUARANTINED', 'poisoned', reason);
}

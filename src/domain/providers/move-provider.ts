/** Moves a provider between states: checked, kept with its reason, and told to everybody once it is durable. */
import { SluiceError } from '../../kernel/errors.ts';
import type { ReadScope, WriteTx } from '../../kernel/ports/unit-of-work.ts';
import type { Submission } from '../../kernel/submission.ts';
import { requireTicket, type WriteTicket } from '../../kernel/ticket.ts';
import { checkMove, type ProviderState, type ReasonCode } from './lifecycle.ts';
import type { ProviderMeans } from './means.ts';
import type { Provider } from './ports/provider-store.ts';

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

export async function loadProvider(
  use: Pick<ProviderMeans, 'providers'>,
  scope: ReadScope,
  id: string,
): Promise<Provider> {
  const found = await use.providers.find(scope, id);
  if (found && found.state !== 'REMOVED') return found;
  throw new SluiceError('not_found', `There is no provider "${id}"`, { field: 'id' });
}

export async function move(
  use: ProviderMeans,
  tx: WriteTx,
  submission: Submission,
  before: Provider,
  to: ProviderState,
  reasonCode: ReasonCode,
  reason: string,
): Promise<Provider> {
  if (before.state !== to) checkMove(before.profile.id, before.state, to);
  if (before.profile.trust === 'BLOCKED' && RUNNING.includes(to)) throw isBlocked(before.profile.id);
  const after = { ...before, state: to, reasonCode, reason, updatedAt: submission.at };
  await keep(use, tx, submission, before.state, after);
  return after;
}

/** In these it is asked or called. */
const RUNNING: readonly ProviderState[] = ['DISCOVERING', 'READY', 'DEGRADED'];

const isBlocked = (id: string): SluiceError =>
  new SluiceError(
    'conflict',
    `"${id}" is BLOCKED; to trust it again: sluice provider review ${id} --trust TIER --reason "…"`,
    { reason: 'blocked' },
  );

export async function keep(
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

export function requireSystem({ caller }: Submission): void {
  if (caller.principal.kind === 'system') return;
  throw new SluiceError('denied', 'Only Sluice itself notes what a provider shows');
}

export function requirePerson({ caller }: Submission): void {
  if (caller.principal.kind === 'author') return;
  throw new SluiceError('denied', 'Only a person decides what of a provider is let in');
}

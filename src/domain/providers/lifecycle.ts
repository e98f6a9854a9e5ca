/** The states of a provider and the moves between them. Every move has a reason and somebody who made it. */
import { SluiceError } from '../../kernel/errors.ts';

export const PROVIDER_STATES = [
  'REGISTERED',
  'DISCOVERING',
  'READY',
  'DEGRADED',
  'QUARANTINED',
  'DISABLED',
  'REMOVED',
] as const;
export type ProviderState = (typeof PROVIDER_STATES)[number];

export const REASON_CODES = [
  'added',
  'discovery_started',
  'discovery_failed',
  'discovered',
  'reviewed',
  'drift',
  'unlisted_changed',
  'recovered',
  'poisoned',
  'operator',
  'released',
  'removed',
] as const;
export type ReasonCode = (typeof REASON_CODES)[number];

/**
 * From each state to these; everything else is refused. QUARANTINED is left only by a person's release. One that is
 * called is discovered beside its calls and stays what it is.
 */
const MOVES: Readonly<Record<ProviderState, readonly ProviderState[]>> = {
  REGISTERED: ['DISCOVERING', 'QUARANTINED', 'DISABLED', 'REMOVED'],
  DISCOVERING: ['REGISTERED', 'READY', 'DEGRADED', 'QUARANTINED', 'DISABLED', 'REMOVED'],
  READY: ['DEGRADED', 'QUARANTINED', 'DISABLED', 'REMOVED'],
  DEGRADED: ['READY', 'QUARANTINED', 'DISABLED', 'REMOVED'],
  QUARANTINED: ['DISCOVERING', 'DISABLED', 'REMOVED'],
  DISABLED: ['DISCOVERING', 'QUARANTINED', 'REMOVED'],
  REMOVED: [],
};

export function checkMove(provider: string, from: ProviderState, to: ProviderState): void {
  if (MOVES[from].includes(to)) return;
  throw new SluiceError('conflict', `"${provider}" is ${from}; it cannot become ${to}`, {
    reason: 'state',
    state: from,
    possible: MOVES[from],
  });
}

/** Whether calls may reach it. */
export const isInvokable = (state: ProviderState): boolean => state === 'READY' || state === 'DEGRADED';

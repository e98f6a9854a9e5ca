/** An expiry is a revocation that comes by itself: it also ends what is under way. */
import type { GovernanceState } from '../domain/governance/governance-state.ts';
import type { Clock } from '../kernel/clock.ts';
import type { CredentialId } from '../kernel/ids.ts';

/** The longest that a timer can wait. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface ExpiryWatch {
  /** Looks again which credential expires next. */
  look(): void;
  stop(): void;
}

export function followExpiry(
  use: { readonly governance: GovernanceState; readonly clock: Clock },
  expired: (credential: CredentialId) => void,
): ExpiryWatch {
  let seen = use.clock.now();
  let timer: NodeJS.Timeout | undefined;

  const look = (): void => {
    clearTimeout(timer);
    const now = use.clock.now();
    const times = use.governance
      .current()
      .credentials.flatMap(({ id, expiresAt, revokedAt }) =>
        expiresAt === null || revokedAt !== null ? [] : [{ id, expiresAt }],
      );
    for (const { id, expiresAt } of times) if (expiresAt > seen && expiresAt <= now) expired(id);
    seen = now;
    const next = Math.min(...times.map(({ expiresAt }) => expiresAt).filter((at) => at > now));
    if (next === Number.POSITIVE_INFINITY) return;
    timer = setTimeout(look, Math.min(next - now, MAX_TIMER_MS)).unref();
  };

  look();
  return { look, stop: () => clearTimeout(timer) };
}

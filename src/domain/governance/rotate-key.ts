/**
 * Exchanges the home's master key: a new one, and everything that stays sealed anew with it in one unit. The one before
 * is kept for a day, because answers that wait or are read on lie sealed in blobs for so long, and a copy of the
 * database may be older than the copy of the keys beside it. It goes only in a unit that left nothing sealed with it,
 * so that a crash at any moment leaves every value its key.
 */
import { SluiceError } from '../../kernel/errors.ts';
import type { KeyRing } from '../../kernel/ports/secret-box.ts';
import type { SealedThings } from '../../kernel/sealed-things.ts';
import { type Landing, requireTicket, type WriteTicket } from '../../kernel/ticket.ts';

export interface RotationMeans {
  readonly keys: KeyRing;
  readonly sealed: readonly SealedThings[];
  /** Whether other gateways may work on the same database. */
  readonly shared: boolean;
}

/** As long as any sealed answer is kept. */
export const KEEP_FORMER_MS = 24 * 60 * 60 * 1000;

export type Resealed = Readonly<Record<SealedThings['what'], number>>;

export async function rotateKey(use: RotationMeans, ticket: WriteTicket, alone: boolean): Promise<Resealed> {
  const landing = requireTicket(ticket, 'credential', 'land');
  if (use.shared && !alone)
    throw new SluiceError(
      'conflict',
      'Other gateways on this database that were given the key of this home could open nothing any more; stop them, exchange the key with --alone, and give them the new data/keys/master.key',
      { reason: 'shared' },
    );
  use.keys.renew(landing.submission.at);
  return resealAll(use, landing);
}

/** Also ends what an exchange that was interrupted had begun. */
export async function forgetFormerKeys(use: RotationMeans, ticket: WriteTicket): Promise<Resealed> {
  const landing = requireTicket(ticket, 'credential', 'land');
  if (landing.submission.caller.principal.kind !== 'system')
    throw new SluiceError('denied', 'Only Sluice itself takes keys away');
  return resealAll(use, landing);
}

async function resealAll({ sealed, keys }: RotationMeans, landing: Landing): Promise<Resealed> {
  const counts: Record<SealedThings['what'], number> = { credentials: 0, owner_token: 0 };
  for (const { what, reseal } of sealed) counts[what] += await reseal(landing);
  const { at } = landing.submission;
  landing.tx.afterCommit(() => keys.forgetFormer(at, KEEP_FORMER_MS));
  return counts;
}

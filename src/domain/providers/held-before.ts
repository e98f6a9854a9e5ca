/** A hold outlasts being switched off: only a person's release or review ends it. */
import type { WriteTx } from '../../kernel/ports/unit-of-work.ts';
import type { ProviderMove, ProviderStore } from './ports/provider-store.ts';

/** Far more than lie between a hold and the next discovery. */
const LOOKED_AT = 100;

/** The move that held it, when nobody has let it go since. */
export async function heldBefore(
  { providers }: { readonly providers: ProviderStore },
  tx: WriteTx,
  id: string,
): Promise<ProviderMove | undefined> {
  const moves = await providers.moves(tx, id, LOOKED_AT);
  const last = moves.find(({ to, reasonCode }) => to === 'QUARANTINED' || ENDS.has(reasonCode));
  return last?.to === 'QUARANTINED' ? last : undefined;
}

const ENDS: ReadonlySet<string> = new Set(['released', 'reviewed', 'added']);

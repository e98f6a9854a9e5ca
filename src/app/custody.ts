/** Credentials for providers in this process: where they are kept, how they are sent, how they are had. */
import { createChallenges } from '../domain/providers/custody/challenges.ts';
import { type Connections, createConnections } from '../domain/providers/custody/connections.ts';
import { createCustodyDesk } from '../domain/providers/custody/custody-desk.ts';
import { createSlotDirectory, type SlotDirectory } from '../domain/providers/custody/slot-directory.ts';
import type { CustodyDesk } from '../domain/providers/ports/custody-desk.ts';
import type { ProviderDirectory } from '../domain/providers/provider-directory.ts';
import { createOAuthClient } from '../drivers/mcp-upstream/oauth/oauth-client.ts';
import type { Store } from '../drivers/store/store.ts';
import type { Clock } from '../kernel/clock.ts';
import type { IdSource } from '../kernel/ids.ts';
import type { SecretBox } from '../kernel/ports/secret-box.ts';
import type { ProviderFamilyMeans } from '../tools/provider/means.ts';

export interface CustodyPart {
  readonly slots: SlotDirectory;
  readonly desk: CustodyDesk;
  readonly connections: Connections;
}

export async function openCustody(use: {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly secrets: SecretBox;
  readonly directory: ProviderDirectory;
  readonly act: ProviderFamilyMeans['act'];
}): Promise<CustodyPart> {
  const { clock, ids, secrets, directory } = use;
  const slots = await createSlotDirectory({ units: use.store.units, store: use.store.slots });
  const oauth = createOAuthClient({ clock });
  const challenges = createChallenges();
  return {
    slots,
    desk: createCustodyDesk({
      slots,
      secrets,
      clock,
      oauth,
      challenges,
      async keep({ ref, user }, sealed, facts) {
        await use.act('credential.keep_grant', { ref, user, sealed, facts, provider: null });
      },
    }),
    connections: createConnections({
      directory,
      slots,
      secrets,
      oauth,
      challenges,
      clock,
      ids,
      async keep({ ref, user }, sealed, facts, provider) {
        await use.act('credential.keep_grant', { ref, user, sealed, facts, provider });
      },
    }),
  };
}

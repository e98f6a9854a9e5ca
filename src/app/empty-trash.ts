/** Purges what has been in the trash for longer than the owner wants, through the same pipeline as everybody else. */
import type { GovernanceState } from '../domain/governance/governance-state.ts';
import type { LiveDirectory } from '../domain/workspace/workspaces.ts';
import type { Store } from '../drivers/store/store.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { Clock } from '../kernel/clock.ts';
import { systemGrant } from './local-grants.ts';

export interface EmptyingParts {
  readonly store: Store;
  readonly gateway: Gateway;
  readonly directory: LiveDirectory;
  readonly governance: GovernanceState;
  readonly clock: Clock;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Answers how many pages went. */
export async function emptyTrash({
  store,
  gateway,
  directory,
  governance,
  clock,
}: EmptyingParts): Promise<number> {
  const days = governance.current().settings.trash_retention_days;
  const before = clock.now() - days * DAY_MS;
  let purged = 0;
  for (const { id: workspace, open } of directory.all()) {
    if (!open) continue;
    // Asked first: an audit record for every look into an empty trash helps nobody.
    const isOld = () => store.units.read((scope) => store.trash.expired(scope, workspace, before, 1));
    while ((await isOld()).length > 0) {
      const outcome = await gateway.call({
        target: { kind: 'tool', name: 'purge_page', arguments: { older_than_days: days } },
        presented: { kind: 'grant', grant: { ...systemGrant(), workspace } },
        claims: { run: 'retention' },
        source: 'retention',
      });
      if (!outcome.ok) throw outcome.error;
      if (outcome.answer.kind === 'tool') purged += Number(outcome.answer.structured?.count ?? 0);
    }
  }
  return purged;
}

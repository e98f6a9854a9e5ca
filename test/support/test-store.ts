/** A real store on a home of its own, with a clock that the test sets, and nothing above it. */

import { openStore } from '../../src/app/open-store.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { type AuditEntry, auditEntry } from '../../src/domain/governance/audit-record.ts';
import { type AuditVerification, verifyAudit } from '../../src/domain/governance/verify-audit.ts';
import { type OpenHeadFile, openHeadFile } from '../../src/drivers/home/head-file.ts';
import { type HomeLayout, homeLayout, makeHome } from '../../src/drivers/home/home-layout.ts';
import { type HomeKeys, openKeys } from '../../src/drivers/home/keys.ts';
import type { SchemaChange } from '../../src/drivers/store/migrate.ts';
import type { Store } from '../../src/drivers/store/store.ts';
import type { Clock } from '../../src/kernel/clock.ts';
import { createIdSource, type IdSource, type WorkspaceId } from '../../src/kernel/ids.ts';
import { createLog } from '../../src/kernel/log.ts';
import type { StoreUnderTest } from './each-store.ts';

export interface SetClock extends Clock {
  set(now: number): void;
  pass(ms: number): void;
}

/** Stands still until it is told otherwise. */
function setClock(start = Date.UTC(2026, 0, 1)): SetClock {
  let at = start;
  return {
    now: () => at,
    set: (now) => {
      at = now;
    },
    pass: (ms) => {
      at += ms;
    },
  };
}

export interface TestStore {
  readonly store: Store;
  readonly layout: HomeLayout;
  readonly keys: HomeKeys;
  readonly heads: OpenHeadFile;
  readonly clock: SetClock;
  readonly ids: IdSource;
  /** The events that were logged. */
  readonly logged: readonly string[];
  verify(): Promise<AuditVerification>;
  close(): Promise<void>;
}

export async function openTestStore(
  under: StoreUnderTest,
  folder: string,
  clock: SetClock = setClock(),
  schema?: readonly SchemaChange[],
): Promise<TestStore> {
  const layout = homeLayout(folder);
  makeHome(layout);
  const keys = openKeys(layout.keys);
  const heads = openHeadFile(layout.heads, keys);
  const logged: string[] = [];
  const log = createLog(clock, 'debug', (line) => logged.push((JSON.parse(line) as { event: string }).event));
  const { config } = loadConfig(folder, {}, under.config());
  const store = await openStore(config, layout.database, {
    heads,
    writer: keys.writer,
    clock,
    log,
    ...(schema && { schema }),
  });
  return {
    store,
    layout,
    keys,
    heads,
    clock,
    ids: createIdSource(clock),
    logged,
    verify: () =>
      store.units.read((scope) =>
        verifyAudit({ reader: store.auditReader, publicKey: keys.verifying }, scope, heads.heads()),
      ),
    async close() {
      await store.close();
      heads.close();
    },
  };
}

/** A workspace to put things into; answers its id. */
export async function addWorkspace({ store, ids }: TestStore, name: string): Promise<WorkspaceId> {
  const id = ids.next<WorkspaceId>();
  const workspace = { id, name, createdAt: 1, openedAt: 1 };
  await store.units.write({}, (tx) => store.workspaces.insert(tx, workspace));
  return id;
}

/** A plausible record of a call. */
export function entryOf(given: Partial<AuditEntry> = {}): AuditEntry {
  return auditEntry({
    created_at: 1_000,
    call_id: 'call',
    kind: 'tool',
    surface: 'in-process',
    tool_name: 'read_page',
    decision: 'allow',
    status: 'success',
    ...given,
  });
}

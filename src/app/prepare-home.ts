/** What every start does: records that this writer began, and in a new home makes the owner's token and a workspace. */
import { readFileSync, rmSync } from 'node:fs';
import type { ChainHead } from '../domain/governance/audit-chain.ts';
import type { HeadFile } from '../domain/governance/audit-heads.ts';
import { auditEntry } from '../domain/governance/audit-record.ts';
import type { GovernanceState } from '../domain/governance/governance-state.ts';
import type { LiveDirectory } from '../domain/workspace/workspaces.ts';
import type { HomeLayout } from '../drivers/home/home-layout.ts';
import type { HomeKeys } from '../drivers/home/keys.ts';
import type { Store } from '../drivers/store/store.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { Clock } from '../kernel/clock.ts';
import type { CallId, IdSource } from '../kernel/ids.ts';
import { VERSION } from '../kernel/version.ts';
import { closeOpenCalls } from './close-open-calls.ts';
import { systemGrant } from './local-grants.ts';

interface Parts {
  readonly store: Store;
  readonly gateway: Gateway;
  readonly governance: GovernanceState;
  readonly directory: LiveDirectory;
  readonly layout: HomeLayout;
  readonly keys: HomeKeys;
  readonly heads: HeadFile;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** True for a process that stays, false for a short command. */
  readonly announces: boolean;
}

const FIRST_WORKSPACE = 'default';

export async function prepareHome(parts: Parts): Promise<void> {
  await closeOpenCalls({ ...parts, writer: parts.keys.writer });
  await recordStart(parts);
  if (parts.governance.current().sealedOwnerToken === undefined)
    await callAsSystem(parts, 'regenerate_mcp_token', {});
  if (parts.directory.all().length === 0)
    await callAsSystem(parts, 'workspace.create', { name: FIRST_WORKSPACE, open: true });
}

/** The first record of a writer names where the other chains stood. */
async function recordStart(parts: Parts): Promise<void> {
  const { store, keys, clock, ids, layout } = parts;
  const heads = await store.units.read(async (scope) => {
    const writers = await store.auditReader.writers(scope);
    return Promise.all(writers.map((writer) => store.auditReader.head(scope, writer)));
  });
  const others = heads.filter((head) => head?.writer !== keys.writer);
  const own = heads.find((head) => head?.writer === keys.writer);
  const unsigned = own !== undefined && parts.heads.newest() === undefined;
  const restored = readMarker(layout.restored);
  // A short command that goes on with this home's own chain has nothing to add to it.
  if (!parts.announces && own && !unsigned && restored === undefined) return;
  await store.audit.append(
    auditEntry({
      created_at: clock.now(),
      call_id: ids.next<CallId>(),
      kind: 'writer_started',
      surface: 'admin',
      tool_name: '(start)',
      decision: 'allow',
      status: 'success',
      subject_type: 'system',
      subject_id: 'system',
      subject_name: 'sluice',
      note: JSON.stringify({
        version: VERSION,
        others,
        ...(restored !== undefined && { restored }),
        ...(unsigned && !wasJustBegun(parts, own) && { no_head: true }),
      }),
    }),
  );
  if (restored !== undefined) rmSync(layout.restored, { force: true });
}

/** A first start that was killed may leave one record whose head was not signed yet; it had made no token by then. */
const wasJustBegun = ({ store, governance }: Parts, own: ChainHead): boolean =>
  own.sequence === 1 && (store.shared || governance.current().sealedOwnerToken === undefined);

/** What a restore left to be recorded. */
function readMarker(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return { damaged: true };
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Through the same pipeline as everybody else. */
async function callAsSystem(
  { gateway, directory }: Parts,
  name: string,
  input: Readonly<Record<string, unknown>>,
): Promise<void> {
  const outcome = await gateway.call({
    target: { kind: 'tool', name, arguments: input },
    presented: { kind: 'grant', grant: systemGrant() },
    claims: { run: 'start' },
    source: 'start',
  });
  if (outcome.ok) return;
  if (outcome.error.code !== 'conflict') throw outcome.error;
  // Another gateway on the same database was a moment earlier.
  await directory.refresh();
}

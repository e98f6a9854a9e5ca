/** The one place where the parts meet: opens a home and wires store, domain, tools and gateway by hand. */
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Family } from '../catalogue/family.ts';
import { createLiveCatalogue, type LiveCatalogue } from '../catalogue/live-catalogue.ts';
import type { Config } from '../config/keys.ts';
import { createApprovalDesk } from '../domain/governance/approvals/approval-desk.ts';
import { createGovernanceState, type Governance } from '../domain/governance/governance-state.ts';
import { memoryChanges, memoryOverlaps } from '../domain/memory/proposed-changes.ts';
import { rejectedProposal } from '../domain/memory/review-item.ts';
import { takeBackMemory } from '../domain/memory/take-back.ts';
import { trimAnswers } from '../domain/providers/answers/keep-answer.ts';
import { maskArguments, maskForPeople } from '../domain/providers/firewall/mask-for-people.ts';
import { findPage } from '../domain/workspace/find-page.ts';
import type { WorkspaceMeans } from '../domain/workspace/means.ts';
import { createSights } from '../domain/workspace/permissions/sights.ts';
import { reviewDesk } from '../domain/workspace/proposals/keep-proposal.ts';
import { SentBlobs } from '../domain/workspace/usable-blobs.ts';
import { createDirectory } from '../domain/workspace/workspaces.ts';
import { createFileBlobStore } from '../drivers/blobs/file-blob-store.ts';
import { writeBackup } from '../drivers/home/backup.ts';
import { openHeadFile } from '../drivers/home/head-file.ts';
import { type HomeLayout, homeLayout, makeHome, makePrivate } from '../drivers/home/home-layout.ts';
import { lockHome } from '../drivers/home/home-lock.ts';
import { openKeys } from '../drivers/home/keys.ts';
import { refuseLostParts } from '../drivers/home/lost-parts.ts';
import { finishRestore } from '../drivers/home/restore.ts';
import { unusableHome } from '../drivers/home/unusable-home.ts';
import { backUpBeforeUpgrade } from '../drivers/home/upgrade-backup.ts';
import { createTextDocuments } from '../drivers/loro/text-documents.ts';
import type { SchemaChange } from '../drivers/store/migrate.ts';
import type { Store } from '../drivers/store/store.ts';
import { createGateway, type Gateway } from '../gateway/gateway.ts';
import { DEFAULT_GATEWAY_LIMITS } from '../gateway/limits.ts';
import { type Clock, systemClock } from '../kernel/clock.ts';
import { invalidInput, SluiceError } from '../kernel/errors.ts';
import { createIdSource } from '../kernel/ids.ts';
import { faultFields, type Log } from '../kernel/log.ts';
import type { BlobStore } from '../kernel/ports/blob-store.ts';
import { openBuild } from '../kernel/ports/entitlements.ts';
import type { SourceResolver } from '../kernel/ports/source-resolver.ts';
import { systemCode } from '../kernel/system-code.ts';
import { createTicketMint } from '../kernel/ticket.ts';
import { VERSION } from '../kernel/version.ts';
import type { ServerStatus } from '../tools/settings/means.ts';
import { startApprovalUpkeep } from './approval-upkeep.ts';
import { builtInFamilies } from './built-in-families.ts';
import { createChangeFeed, followEvents, tellingEvents } from './change-feed.ts';
import { collectBlobs } from './collect-blobs.ts';
import { emptyTrash } from './empty-trash.ts';
import { followOthers } from './follow-others.ts';
import { heardInRun } from './heard-in-run.ts';
import { withMemorySources } from './memory-sources.ts';
import { startMemoryUpkeep } from './memory-upkeep.ts';
import { openSemantic } from './open-semantic.ts';
import { openStore } from './open-store.ts';
import { prepareHome } from './prepare-home.ts';
import { openProviders } from './providers.ts';
import { recallIdleRun } from './recall-idle-run.ts';
import { startRetention } from './retention.ts';
import { createWordIndexer } from './word-indexer.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export interface AppOptions {
  readonly home: string;
  readonly config: Config;
  readonly log: Log;
  readonly clock?: Clock;
  /** How long to wait for another process to give the home up. */
  readonly lockWaitMs?: number;
  /** False for a command that ends at once; it leaves no mark of its start in the audit log. */
  readonly stays?: boolean;
  /** True for a program that keeps the index by meaning up to date by itself. */
  readonly indexes?: boolean;
  /** What the schema of the store is made of; without it everything this Sluice knows. */
  readonly schema?: readonly SchemaChange[];
  /** Families besides the built-in ones. */
  readonly families?: readonly Family[];
}

export interface App {
  readonly layout: HomeLayout;
  readonly config: Config;
  readonly gateway: Gateway;
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly log: Log;
  /** For attachments and results too large to answer with. */
  readonly blobs: BlobStore;
  governance(): Governance;
  /** What the server part reports of itself for `get_mcp_status`. */
  reportStatus(status: () => Pick<ServerStatus, 'running' | 'url' | 'sessions'>): void;
  close(): Promise<void>;
}

export async function composeApp(options: AppOptions): Promise<App> {
  const layout = homeLayout(options.home);
  try {
    return await openLocked(options, layout);
  } catch (error) {
    if (error instanceof SluiceError) throw error;
    throw unusableHome(layout.root, error) ?? openFailure(options.log, error);
  }
}

async function openLocked(options: AppOptions, layout: HomeLayout): Promise<App> {
  makePrivate(layout.root);
  const lock = await lockHome(layout.lock, options.lockWaitMs ?? 10_000);
  const closing: (() => void | Promise<void>)[] = [() => lock.release()];
  const close = async (): Promise<void> => {
    for (const step of closing.splice(0).reverse()) await step();
  };
  try {
    return await wire(options, layout, options.clock ?? systemClock, closing, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function wire(
  options: AppOptions,
  layout: HomeLayout,
  clock: Clock,
  closing: (() => void | Promise<void>)[],
  close: () => Promise<void>,
): Promise<App> {
  const { config, log } = options;
  finishRestore(layout);
  refuseLostParts(layout, config['store.kind'] === 'sqlite');
  makeHome(layout);
  const keys = openKeys(layout.keys);
  const heads = openHeadFile(layout.heads, keys);
  closing.push(() => heads.close());
  const feed = createChangeFeed();
  const opened = await openStore(config, layout.database, {
    heads,
    writer: keys.writer,
    clock,
    log,
    ...(options.schema && { schema: options.schema }),
    beforeUpgrade: (old, first) =>
      backUpBeforeUpgrade({ layout, store: old, clock, version: VERSION, log }, first),
  });
  closing.push(() => opened.close());
  const store = opened.shared ? opened : { ...opened, events: tellingEvents(opened.events, feed) };
  const ids = createIdSource(clock);
  const governance = await createGovernanceState({ units: store.units, store: store.governance });
  const directory = await createDirectory(store);
  const status = reportedStatus(options.home, store, clock);
  const sights = await createSights(store);
  const expireProposalsAfterMs = config['proposals.expire_after_days'] * DAY_MS;
  const semantic = openSemantic({ store, directory, feed, log, config, follows: options.indexes ?? false });
  closing.push(() => semantic.close());
  const words = createWordIndexer({ store, directory, log, follows: options.indexes ?? false });
  closing.push(() => words.close());
  const workspace: WorkspaceMeans = {
    ...store,
    ...semantic.means,
    texts: createTextDocuments(),
    ids,
    expireProposalsAfterMs,
    calls: {
      argumentsDigest: async (scope, call) =>
        (await store.auditReader.ofCall(scope, call)).at(-1)?.input_digest ?? undefined,
    },
    otherCandidates: {
      rejected: (...no) => rejectedProposal({ ...store, ids }, ...no),
      overlaps: (...asked) => memoryOverlaps(store, ...asked),
      changes: (...asked) => memoryChanges(store, ...asked),
    },
    otherChanges: {
      takeBack: (events, ...change) => takeBackMemory({ ...store, ids, events }, ...change),
    },
  };
  const blobs = createFileBlobStore(layout.blobs);
  const late: { gateway?: Gateway; catalogue?: LiveCatalogue } = {};
  const providers = await openProviders({
    store,
    blobs,
    clock,
    ids,
    secrets: keys.secrets,
    policy: { state: governance, store: store.governance, ids },
    log,
    heldClasses: () => governance.current().settings.approval_output_classes,
    gateway: () => late.gateway as Gateway,
    catalogue: () => late.catalogue as LiveCatalogue,
  });
  const approvals = await createApprovalDesk({ units: store.units, store: store.approvals });
  const catalogue = createLiveCatalogue([
    ...builtInFamilies({
      store,
      workspace: {
        ...workspace,
        blobs,
        words,
        sent: new SentBlobs(),
        blobsKeptMs: () => governance.current().settings.trash_retention_days * DAY_MS,
      },
      sights,
      meaning: semantic.meaning,
      governance,
      approvals,
      directory,
      ids,
      clock,
      secrets: keys.secrets,
      heads,
      writer: keys.writer,
      status: status.read,
      backup: (target) => writeBackup({ layout, store, clock, version: VERSION }, outside(layout, target)),
      gateway: () => late.gateway as Gateway,
      catalogue: () => late.catalogue as LiveCatalogue,
    }),
    ...providers.families,
    ...(options.families ?? []),
  ]);
  const gateway = createGateway(
    {
      catalogue,
      governance,
      audit: store.audit,
      units: store.units,
      trail: store.trail,
      results: store.results,
      approvals,
      blobs,
      mask: maskForPeople,
      maskArguments,
      heard: heardInRun(store.auditReader),
      sources: withMemorySources(store, pageSources(workspace)),
      desk: reviewDesk(workspace),
      sights,
      workspaces: directory,
      entitlements: openBuild,
      mint: createTicketMint(),
      changes: feed,
      secrets: keys.secrets,
      clock,
      ids,
      log,
      limits: limitsOf(config),
    },
    recallIdleRun(store),
  );
  Object.assign(late, { gateway, catalogue });
  providers.offer(catalogue);
  closing.push(catalogue.onChange(() => gateway.listsChanged()));
  closing.push(() => providers.close());
  closing.push(() => gateway.close(config['server.shutdown_grace_ms']));
  await prepareHome({
    store,
    gateway,
    governance,
    directory,
    layout,
    keys,
    heads,
    clock,
    ids,
    announces: options.stays ?? true,
  });
  if (options.stays ?? true) await providers.endDiscoveries();
  if (store.shared) {
    closing.push(
      followOthers({
        governance,
        directory,
        providers: providers.directory,
        slots: providers.slots,
        approvals,
        log,
      }),
    );
    closing.push(followEvents({ ...store, directory, feed, log }));
  }
  closing.push(
    startRetention(
      { store, governance, clock, ids, log, writer: keys.writer },
      {
        trash_not_emptied: () => emptyTrash({ store, gateway, directory, governance, clock }),
        answers_not_trimmed: () =>
          store.units.write({}, (tx) => trimAnswers({ ...store, blobs }, tx, clock.now())),
        keys_not_forgotten: () => providers.forgetKeys(),
        blobs_not_collected: () => collectBlobs({ store, blobs, governance, clock }),
      },
    ),
  );
  closing.push(startApprovalUpkeep({ store, desk: approvals, blobs, clock, log }));
  closing.push(startMemoryUpkeep({ gateway, directory, log }));
  return {
    layout,
    config,
    gateway,
    catalogue,
    clock,
    log,
    blobs,
    governance: () => governance.current(),
    reportStatus: status.report,
    close,
  };
}

/** A backup inside of what it copies would copy itself, and a restore would move it away. */
function outside({ data }: HomeLayout, target: string): string {
  const way = relative(data, resolve(target));
  if (way === '' || (!isAbsolute(way) && way.split(sep)[0] !== '..'))
    throw invalidInput('path', `must lie outside of "${data}"`);
  return target;
}

function reportedStatus(home: string, store: Store, clock: Clock) {
  const startedAt = clock.now();
  let server = (): Pick<ServerStatus, 'running' | 'url' | 'sessions'> => ({
    running: false,
    url: null,
    sessions: 0,
  });
  return {
    report: (status: typeof server): void => {
      server = status;
    },
    read: (): ServerStatus => ({
      ...server(),
      version: VERSION,
      store: store.kind,
      home,
      uptime_s: Math.floor((clock.now() - startedAt) / 1000),
    }),
  };
}

const limitsOf = (config: Config) => ({
  ...DEFAULT_GATEWAY_LIMITS,
  callsPerSecond: config['limits.calls_per_second'],
  callBurst: config['limits.call_burst'],
  concurrentPerPrincipal: config['limits.concurrent_per_principal'],
  concurrentInAll: config['limits.concurrent_in_all'],
  listPage: config['limits.list_page'],
});

/** Sources of derived content are pages of the caller's workspace. */
function pageSources(use: WorkspaceMeans): SourceResolver {
  return {
    async resolve(scope, caller, reference, field) {
      const { workspace } = caller.context;
      if (!workspace) throw new SluiceError('no_workspace', 'No workspace is open for this caller');
      const page = await findPage(use, scope, workspace, reference, field);
      return { kind: 'page', id: page.id, version: page.version };
    },
  };
}

function openFailure(log: Log, error: unknown): SluiceError {
  log.error('home_not_opened', faultFields(error));
  const code = systemCode(error);
  const what = `The home could not be opened${code === undefined ? '' : ` (${code})`}`;
  return new SluiceError('unavailable', `${what}; "sluice doctor" looks for the reason`, {}, error);
}

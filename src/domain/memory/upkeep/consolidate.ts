/**
 * The upkeep of memory, in one unit: threads that fell silent and runs that ended become episodes, episodes become
 * candidates for facts, old episodes become summaries, a person is asked about what fails, old trash goes. It is planned whole before anything is done, so
 * that a dry run answers exactly what a run would do.
 */
import { SluiceError } from '../../../kernel/errors.ts';
import type { MemoryId } from '../../../kernel/ids.ts';
import { type Landing, requireTicket, type WriteTicket } from '../../../kernel/ticket.ts';
import { workspaceOf } from '../../workspace/page-rules.ts';
import { settleLook } from '../look-again.ts';
import { tokensOf } from '../make-item.ts';
import type { MemoryMeans } from '../means.ts';
import type { MemoryItem } from '../memory-item.ts';
import { recordMemory } from '../record-memory.ts';
import { viewerOf } from '../viewer.ts';
import { inForce, landStatement } from '../write-statement.ts';
import { planDays, planRuns, planThreads, type Range, type Summary, type ToldRuns } from './plan-episodes.ts';
import { planLooks } from './plan-looks.ts';
import { planStatements } from './plan-statements.ts';

const TRASH_MS = 30 * 24 * 60 * 60 * 1000;
const TRASH_AT_ONCE = 500;

export interface Upkeep {
  readonly threads: readonly Summary[];
  readonly runs: ToldRuns;
  readonly statements: readonly MemoryItem[];
  readonly days: readonly Summary[];
  /** What a person is asked about. */
  readonly looks: readonly MemoryItem[];
  readonly purged: readonly MemoryId[];
}

export interface UpkeepWish {
  /** `agent`: only what the caller itself keeps. */
  readonly scope: 'workspace' | 'agent';
  readonly dryRun: boolean;
}

export async function consolidate(use: MemoryMeans, ticket: WriteTicket, wish: UpkeepWish): Promise<Upkeep> {
  const landing = requireTicket(ticket, 'memory', 'land');
  const { tx, submission } = landing;
  const { caller } = submission;
  if (wish.scope === 'workspace' && !viewerOf(caller).reviews)
    throw new SluiceError(
      'denied',
      'Only who may review consolidates a whole workspace; "agent" is for the rest',
      {
        field: 'scope',
      },
    );
  const owner = wish.scope === 'agent' ? caller.principal.id : undefined;
  const plan = await planUpkeep(use, { scope: tx, workspace: workspaceOf(submission), submission, owner });
  if (!wish.dryRun) await carryOut(use, landing, plan, owner === undefined);
  return plan;
}

async function planUpkeep(use: MemoryMeans, range: Range): Promise<Upkeep> {
  const { scope, workspace, submission, owner } = range;
  const statements = await planStatements(use, range);
  const evidence = new Set(statements.flatMap(({ sources }) => sources.map(({ id }) => id)));
  const nothing: ToldRuns = { episodes: [], told: [], through: 0 };
  return {
    threads: await planThreads(use, range),
    runs: owner === undefined ? await planRuns(use, range) : nothing,
    statements,
    days: await planDays(use, range, evidence),
    looks: owner === undefined ? await planLooks(use, range) : [],
    purged:
      owner === undefined
        ? await use.memory.trashedBefore(scope, workspace, submission.at - TRASH_MS, TRASH_AT_ONCE)
        : [],
  };
}

async function carryOut(use: MemoryMeans, landing: Landing, plan: Upkeep, whole: boolean): Promise<void> {
  const { tx, submission } = landing;
  const workspace = workspaceOf(submission);
  for (const item of plan.statements) {
    const all = await use.memory.ofKey(tx, workspace, item, item.key ?? '');
    await landStatement(use, landing, item, inForce(all, submission.at));
    await tx.breathe();
  }
  for (const { item, replaces } of [...plan.threads, ...plan.days]) {
    await use.memory.remove(
      tx,
      replaces.map(({ id }) => id),
    );
    await use.memory.insert(tx, item, tokensOf(item));
    await recordMemory(use, landing, 'memory_summarised', [item], {
      kind: item.kind,
      replaces: replaces.length,
    });
    await tx.breathe();
  }
  for (const item of plan.runs.episodes) await use.memory.insert(tx, item, tokensOf(item));
  await recordMemory(use, landing, 'memory_written', plan.runs.episodes, { kind: 'run' });
  await use.memory.markTold(tx, workspace, plan.runs.told);
  if (whole) await use.memory.markAllTold(tx, workspace, plan.runs.through);
  for (const item of plan.looks) await use.memory.save(tx, await settleLook(use, landing, item));
  await use.memory.remove(tx, plan.purged);
}

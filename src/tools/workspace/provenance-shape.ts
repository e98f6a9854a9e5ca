/** How provenance looks in the answers of this family. */
import { z } from 'zod';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import type { Attribution } from '../../domain/workspace/ports/provenance-store.ts';
import { BLOCK_ORIGINS, type BlockProvenance } from '../../domain/workspace/provenance/read-provenance.ts';
import { type ChangedSource, withChange } from '../../domain/workspace/sources.ts';
import type { WorkspaceId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import type { EntityVersion } from '../../kernel/submission.ts';
import { isoTime } from './page-shape.ts';

export const sourceFact = z.object({
  page: z.string(),
  title: z.string().optional().describe('Of a page that is there'),
  version: z.string().describe('As it was when the content was made from it'),
  changed_since: z.boolean().describe('It has another text by now, or is gone'),
  state: z.enum(['live', 'trashed', 'gone']),
});

const writerFact = z.object({
  actor: z.string(),
  actor_kind: z.string(),
  origin: z.string(),
  run: z.string(),
  tool: z.string(),
  call: z.string(),
  at: z.string(),
  accepted_by: z.string().optional(),
  sources: z.array(sourceFact),
});

export const blockFact = z.object({
  block: z.string(),
  kind: z.string(),
  text: z.string().describe('How it begins'),
  origin: z
    .enum(BLOCK_ORIGINS)
    .describe('mixed = words of several origins; unknown = from before this was kept'),
  written_by: z.array(writerFact).describe('Newest first'),
  restored_by: writerFact.optional(),
});

export const describeSource = ({ id, version, changedSince, page }: ChangedSource) => ({
  page: id,
  ...(page && { title: page.title }),
  version,
  changed_since: changedSince,
  state: stateOf(page),
});

const stateOf = (page: ChangedSource['page']) => {
  if (!page) return 'gone' as const;
  return page.trashBatch === null ? ('live' as const) : ('trashed' as const);
};

/** Says of sources what became of them; asked once for all of them. */
export async function sourceTeller(
  use: WorkspaceMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  all: readonly EntityVersion[],
): Promise<(sources: readonly EntityVersion[]) => ReturnType<typeof describeSource>[]> {
  const each = new Map(all.map((source) => [keyOf(source), source]));
  const states = await withChange(use, scope, workspace, [...each.values()]);
  const known = new Map(states.map((state) => [keyOf(state), state]));
  return (sources) =>
    sources.flatMap((source) => {
      const state = known.get(keyOf(source));
      return state ? [describeSource(state)] : [];
    });
}

const keyOf = ({ id, version }: EntityVersion): string => `${id} ${version}`;

type Tell = Awaited<ReturnType<typeof sourceTeller>>;

export const sourcesIn = (blocks: readonly BlockProvenance[]): EntityVersion[] =>
  blocks.flatMap(({ writers, restoredBy }) =>
    [...writers, ...(restoredBy ? [restoredBy] : [])].flatMap(({ sources }) => [...sources]),
  );

const SHOWN = 80;

export const describeBlock = ({ block, text, origin, writers, restoredBy }: BlockProvenance, tell: Tell) => ({
  block: block.id,
  kind: block.kind,
  text: text.length > SHOWN ? `${text.slice(0, SHOWN).toWellFormed()}…` : text,
  origin,
  written_by: writers.map((writer) => describeWriter(writer, tell)),
  ...(restoredBy && { restored_by: describeWriter(restoredBy, tell) }),
});

const describeWriter = (one: Attribution, tell: Tell) => ({
  actor: one.principalName,
  actor_kind: one.principalKind,
  origin: one.origin,
  run: one.run,
  tool: one.tool,
  call: one.call,
  at: isoTime(one.at),
  ...(one.acceptedBy !== null && { accepted_by: one.acceptedBy }),
  sources: tell(one.sources),
});

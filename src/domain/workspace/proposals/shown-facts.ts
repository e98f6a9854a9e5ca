/** What a proposal would change besides texts, in words that people know: parents by their paths, files by their digests. */
import type { PageId, WorkspaceId } from '../../../kernel/ids.ts';
import type { ReadScope } from '../../../kernel/ports/unit-of-work.ts';
import type { WorkspaceMeans } from '../means.ts';
import { pathOf } from '../page.ts';
import { type FactNow, factsNow } from './facts.ts';
import type { ProposalEntry } from './proposal.ts';

export type ShownFact = Omit<FactNow, 'page'> & { readonly page: PageId };

export async function shownFacts(
  use: Pick<WorkspaceMeans, 'pages' | 'files' | 'permissions'>,
  scope: ReadScope,
  entry: ProposalEntry,
): Promise<readonly ShownFact[]> {
  const known = await factsNow(use, scope, entry);
  const zones = [...new Set(known.flatMap(({ zone }) => zone ?? []))];
  const kept = new Set(zones.length === 0 ? [] : await use.permissions.keptFrom(scope, zones));
  const facts = known.filter(
    ({ before, after, clashes, impossible, zone }) =>
      (before !== after || clashes || impossible) && !(zone && kept.has(zone)),
  );
  const paths = await pathsOf(use, scope, entry.workspace, facts);
  const ordered = [...facts].sort((a, b) => Number(b.clashes) - Number(a.clashes));
  return ordered.map((fact) => ({ ...fact, ...valuesOf(fact, paths), page: fact.page.id }));
}

type Values = Pick<FactNow, 'before' | 'now' | 'after'>;

function valuesOf({ what, before, now, after }: FactNow, paths: ReadonlyMap<string, string>): Values {
  // How siblings are ordered is nothing to read.
  if (what === 'position') return { before: null, now: null, after: null };
  if (what !== 'parent') return { before, now, after };
  const path = (id: string | null): string | null => id && (paths.get(id) ?? 'a page that is not there');
  return { before: path(before), now: path(now), after: path(after) };
}

/** Of those that the reader sees. */
async function pathsOf(
  use: Pick<WorkspaceMeans, 'pages'>,
  scope: ReadScope,
  workspace: WorkspaceId,
  facts: readonly FactNow[],
): Promise<ReadonlyMap<string, string>> {
  const parents = facts
    .filter(({ what }) => what === 'parent')
    .flatMap(({ before, now, after }) => [before, now, after]);
  const ids = [...new Set(parents.filter((id) => id !== null))] as PageId[];
  if (ids.length === 0) return new Map();
  const seen = (await use.pages.headers(scope, workspace, ids)).map(({ id }) => id);
  const ways = await use.pages.ways(scope, seen);
  return new Map(seen.map((id) => [id, pathOf(ways.get(id) ?? [])]));
}

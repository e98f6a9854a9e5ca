/** What waits for review, and what became of what did; newest first. */
import { z } from 'zod';
import { isUuid, type PageId, type ProposalId, type RunId, type WorkspaceId } from '../../../kernel/ids.ts';
import type { ReadScope } from '../../../kernel/ports/unit-of-work.ts';
import type { Origin } from '../../../kernel/submission.ts';
import { readCursor, writeCursor } from '../cursor.ts';
import { findPage } from '../find-page.ts';
import type { WorkspaceMeans } from '../means.ts';
import { type PageHeader, pathOf } from '../page.ts';
import { countPages, type PageCounts } from './page-counts.ts';
import { type ProposalEntry, type ProposalState, stateAt } from './proposal.ts';
import { overlapsNow } from './still-fits.ts';

export interface ListWish {
  readonly state?: ProposalState | undefined;
  readonly run?: string | undefined;
  readonly page?: string | undefined;
  readonly caller?: string | undefined;
  readonly origin?: Origin | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly now: number;
}

/** A proposal with the page it is about, as that is now. */
export interface ListedProposal {
  readonly entry: ProposalEntry;
  readonly state: ProposalState;
  readonly page?: PageHeader;
  readonly path?: string;
  readonly counts: PageCounts;
  /** It could not land as things are now; of what was decided, when it was made. */
  readonly overlaps: boolean;
}

const place = z.object({ before: z.string() });

export async function listProposals(
  use: WorkspaceMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  wish: ListWish,
): Promise<{ readonly proposals: readonly ListedProposal[]; readonly nextCursor?: string }> {
  const before = wish.cursor === undefined ? undefined : readCursor(wish.cursor, place).before;
  const filter = {
    state: wish.state,
    run: wish.run as RunId | undefined,
    page: wish.page === undefined ? undefined : await pageOf(use, scope, workspace, wish.page),
    caller: wish.caller,
    origin: wish.origin,
    now: wish.now,
  };
  const found = await use.proposals.list(
    scope,
    workspace,
    filter,
    wish.limit + 1,
    before as ProposalId | undefined,
  );
  const entries = found.slice(0, wish.limit);
  const last = entries.at(-1);
  const more = found.length > wish.limit && last;
  return {
    proposals: await withPages(use, scope, workspace, entries, wish.now),
    ...(more && { nextCursor: writeCursor({ before: last.id }) }),
  };
}

/** Also one in the trash, by its id: what was proposed for it is still there. */
async function pageOf(
  use: WorkspaceMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  reference: string,
): Promise<PageId> {
  const [known] = isUuid(reference) ? await use.pages.headers(scope, workspace, [reference as PageId]) : [];
  return (known ?? (await findPage(use, scope, workspace, reference))).id;
}

export async function withPages(
  use: WorkspaceMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  entries: readonly ProposalEntry[],
  now: number,
): Promise<readonly ListedProposal[]> {
  const ids = [...new Set(entries.flatMap(({ page }) => page ?? []))];
  const pages = new Map((await use.pages.headers(scope, workspace, ids)).map((page) => [page.id, page]));
  const ways = await use.pages.ways(scope, [...pages.keys()]);
  const kept = await keptOf(use, scope, entries);
  const listed: ListedProposal[] = [];
  for (const entry of entries) {
    const page = entry.page === null ? undefined : pages.get(entry.page);
    const state = stateAt(entry, now);
    const overlaps = state === 'pending' ? await overlapsNow(use, scope, entry, page, now) : entry.overlaps;
    const told = { entry, state, counts: countPages(entry, kept), overlaps };
    listed.push(page ? { ...told, page, path: pathOf(ways.get(page.id) ?? []) } : told);
  }
  return listed;
}

/** Whoever sees the page that a proposal is about need not see all others. */
async function keptOf(
  use: Pick<WorkspaceMeans, 'permissions'>,
  scope: ReadScope,
  entries: readonly ProposalEntry[],
): Promise<ReadonlySet<string>> {
  const others = new Set(entries.flatMap(({ concerns }) => concerns.slice(1).map(({ id }) => id)));
  return new Set(others.size === 0 ? [] : await use.permissions.keptFrom(scope, [...others]));
}

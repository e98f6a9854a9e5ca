/** A proposal as an author wants to see it: what was there, what would come, and whether it still fits. */
import type { Caller } from '../../../kernel/caller.ts';
import type { WorkspaceId } from '../../../kernel/ids.ts';
import type { ReadScope } from '../../../kernel/ports/unit-of-work.ts';
import type { WorkspaceMeans } from '../means.ts';
import type { MergeConflict } from '../merge-blocks.ts';
import type { Page } from '../page.ts';
import type { OtherChange } from '../ports/other-candidates.ts';
import { textOf } from '../revise-page.ts';
import { type ChangedSource, withChange } from '../sources.ts';
import { type ConcernedPage, concernedPages } from './concerned-pages.ts';
import { markedConflict } from './conflict-marks.ts';
import { landOnto } from './land-onto.ts';
import { type ListedProposal, withPages } from './list-proposals.ts';
import { isNewPage, type Proposal } from './proposal.ts';
import { findProposal } from './review.ts';
import { type ShownFact, shownFacts } from './shown-facts.ts';

/** A proposed text against the page as it is now. */
export interface TextInReview {
  readonly base: string;
  /** What was proposed, made from the base. */
  readonly proposed: string;
  /** The page's text now. */
  readonly head: string;
  /** What would land; absent when the same place was changed by both. */
  readonly merged?: string;
  /** Where nothing would: the page's text with all that fits, and both in the places that both changed. */
  readonly marked?: string;
  readonly conflicts: readonly MergeConflict[];
}

export interface ProposalReading extends ListedProposal {
  readonly proposal: Proposal;
  readonly isNewPage: boolean;
  readonly baseVersion: string | null;
  readonly text?: TextInReview;
  readonly pages: readonly ConcernedPage[];
  readonly facts: readonly ShownFact[];
  /** What it would change that is no page. */
  readonly others: readonly OtherChange[];
  readonly sources: readonly ChangedSource[];
}

/** Who asks, where and when. */
export interface Reader {
  readonly caller: Caller;
  readonly workspace: WorkspaceId;
  readonly now: number;
}

export async function readProposal(
  use: WorkspaceMeans,
  scope: ReadScope,
  id: string,
  { caller, workspace, now }: Reader,
): Promise<ProposalReading> {
  const proposal = await findProposal(use, scope, workspace, id);
  const [listed] = await withPages(use, scope, workspace, [proposal], now);
  const page = proposal.page === null ? undefined : await use.pages.find(scope, workspace, proposal.page);
  const text = page && (await textInReview(use, scope, proposal, page));
  return {
    ...(listed as ListedProposal),
    proposal,
    isNewPage: isNewPage(proposal),
    baseVersion: isNewPage(proposal) ? null : (proposal.concerns[0]?.version ?? null),
    ...(text && { text }),
    pages: await concernedPages(use, scope, workspace, proposal),
    facts: isNewPage(proposal) ? [] : await shownFacts(use, scope, proposal),
    others: (await use.otherCandidates?.changes(scope, caller, proposal, now)) ?? [],
    sources: await withChange(use, scope, workspace, proposal.sources),
  };
}

async function textInReview(
  use: WorkspaceMeans,
  scope: ReadScope,
  proposal: Proposal,
  page: Page,
): Promise<TextInReview | undefined> {
  const head = page.content;
  if (isNewPage(proposal)) return { base: '', proposed: head, head, merged: head, conflicts: [] };
  const version = proposal.concerns[0]?.version;
  if (proposal.text === null || version === undefined) return undefined;
  const base = await textOf(use, scope, page, version);
  const merge = await landOnto(use, scope, proposal, page, head);
  const common = { base, proposed: proposal.text, head };
  if (merge.ok) return { ...common, merged: merge.text, conflicts: [] };
  const marks = markedConflict(head, proposal.by.principal.name);
  const marked = await landOnto(use, scope, proposal, page, head, marks);
  return { ...common, conflicts: merge.conflicts, ...(marked.ok && { marked: marked.text }) };
}

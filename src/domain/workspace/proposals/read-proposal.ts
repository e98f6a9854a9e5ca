/** A proposal as an author wants to see it: what was there, what would come, and whether it still fits. */
import type { WorkspaceId } from '../../../kernel/ids.ts';
import type { ReadScope } from '../../../kernel/ports/unit-of-work.ts';
import type { WorkspaceMeans } from '../means.ts';
import type { MergeConflict } from '../merge-blocks.ts';
import type { Page } from '../page.ts';
import { textOf } from '../revise-page.ts';
import { type ChangedSource, withChange } from '../sources.ts';
import { landOnto } from './land-onto.ts';
import { type ListedProposal, withPages } from './list-proposals.ts';
import { isNewPage, type Proposal } from './proposal.ts';
import { findProposal } from './review.ts';

/** A proposed text against the page as it is now. */
export interface TextInReview {
  readonly base: string;
  /** What was proposed, made from the base. */
  readonly proposed: string;
  /** The page's text now. */
  readonly head: string;
  /** What would land; absent when the same place was changed by both. */
  readonly merged?: string;
  readonly conflicts: readonly MergeConflict[];
}

export interface ProposalReading extends ListedProposal {
  readonly proposal: Proposal;
  readonly isNewPage: boolean;
  readonly baseVersion: string | null;
  readonly text?: TextInReview;
  readonly sources: readonly ChangedSource[];
}

export async function readProposal(
  use: WorkspaceMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  id: string,
  now: number,
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
  return merge.ok
    ? { ...common, merged: merge.text, conflicts: [] }
    : { ...common, conflicts: merge.conflicts };
}

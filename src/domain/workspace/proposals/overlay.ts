/** A page as somebody sees it who has proposed changes to it: with all of them that fit. */
import type { PrincipalId, ProposalId } from '../../../kernel/ids.ts';
import type { ReadScope } from '../../../kernel/ports/unit-of-work.ts';
import type { WorkspaceMeans } from '../means.ts';
import type { Page } from '../page.ts';
import { landOnto } from './land-onto.ts';

export interface Overlay {
  readonly text: string;
  /** What the text holds besides the page's own. */
  readonly proposals: readonly ProposalId[];
  /** What overlaps with the page or with an earlier one, and is left out. */
  readonly leftOut: readonly ProposalId[];
}

/** Whose changes to show, and what has expired by now. */
export interface Mine {
  readonly by: PrincipalId;
  readonly now: number;
}

export async function overlayOf(
  use: WorkspaceMeans,
  scope: ReadScope,
  page: Page,
  { by, now }: Mine,
): Promise<Overlay> {
  let text = page.content;
  const [proposals, leftOut]: [ProposalId[], ProposalId[]] = [[], []];
  for (const proposal of await use.proposals.pendingTexts(scope, page.workspace, page.id, by, now)) {
    const merge = await landOnto(use, scope, proposal, page, text);
    if (merge.ok) text = merge.text;
    (merge.ok ? proposals : leftOut).push(proposal.id);
  }
  return { text, proposals, leftOut };
}

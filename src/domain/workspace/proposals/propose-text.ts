/** Lets one text among many wait for an author, while the rest of the call lands: as if it had been sent alone. */
import type { ProposalId } from '../../../kernel/ids.ts';
import type { Landing } from '../../../kernel/ticket.ts';
import { describeChange } from '../describe-change.ts';
import { splitBlocks } from '../markdown/split-blocks.ts';
import type { WorkspaceMeans } from '../means.ts';
import type { Page } from '../page.ts';
import { checkBlockCount, checkContent } from '../page-rules.ts';
import type { NewEvent } from '../ports/event-log.ts';
import { proposerOf } from './candidates.ts';
import { WHOLE_TEXT } from './edited-text.ts';
import type { Proposal } from './proposal.ts';

/** The same wish again is the same proposal. */
export async function proposeText(
  use: WorkspaceMeans,
  { tx, submission }: Landing,
  page: Page,
  text: string,
): Promise<{ readonly proposal: ProposalId; readonly event?: NewEvent }> {
  const { caller, at, origin } = submission;
  checkBlockCount(splitBlocks(checkContent(text)).length);
  const waiting = await use.proposals.pendingTexts(tx, page.workspace, page.id, caller.principal.id, at);
  const same = waiting.find((one) => one.text === text && one.concerns[0]?.version === page.version);
  if (same) return { proposal: same.id };
  const { lines_added, lines_removed } = describeChange(page.content, text);
  const proposal: Proposal = {
    id: use.ids.next<ProposalId>(),
    workspace: page.workspace,
    page: page.id,
    op: WHOLE_TEXT,
    arguments: { page: page.id, content: text, base_version: page.version },
    concerns: [{ kind: 'page', id: page.id, version: page.version }],
    sources: submission.derivedFrom,
    text,
    origin,
    by: proposerOf(submission),
    summary: `Import notes: "${page.title}" (+${lines_added} −${lines_removed} lines)`,
    overlaps: false,
    state: 'pending',
    createdAt: at,
    expiresAt: at + use.expireProposalsAfterMs,
    decided: null,
  };
  await use.proposals.insert(tx, [proposal]);
  const details = { proposal: proposal.id, op: proposal.op };
  const versions = { beforeVersion: page.version, afterVersion: page.version };
  const event: NewEvent = { kind: 'change_proposed', page: page.id, ...versions, details, sources: [] };
  return { proposal: proposal.id, event };
}

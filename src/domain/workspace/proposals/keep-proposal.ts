/** The desk that the gateway puts calls on which need an author's yes. */
import { SluiceError } from '../../../kernel/errors.ts';
import type { PageId, ProposalId, WorkspaceId } from '../../../kernel/ids.ts';
import type { Look, ProposedCall, ReviewDesk } from '../../../kernel/ports/review-desk.ts';
import type { ReadScope } from '../../../kernel/ports/unit-of-work.ts';
import type { EntityVersion } from '../../../kernel/submission.ts';
import { type ProposeTicket, requireTicket } from '../../../kernel/ticket.ts';
import { type ChangeSummary, describeChange } from '../describe-change.ts';
import type { WorkspaceMeans } from '../means.ts';
import type { PageHeader } from '../page.ts';
import { workspaceOf } from '../page-rules.ts';
import { recordChange } from '../record-change.ts';
import { proposerOf } from './candidates.ts';
import type { Concern, Proposal } from './proposal.ts';
import { summarize } from './summarize.ts';

/** More than anybody would look through. */
const MAX_CONCERNS = 1_000;

export function reviewDesk(use: WorkspaceMeans): ReviewDesk {
  return {
    look: (scope, workspace, entities) => look(use, scope, workspace, entities),
    keep: (ticket, call) => keepProposal(use, ticket, call),
  };
}

async function look(
  use: WorkspaceMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  entities: readonly EntityVersion[],
): Promise<Look> {
  const ids = entities.map(({ id }) => id as PageId);
  const headers = await use.pages.headers(scope, workspace, ids);
  const first = ids[0] && (await use.pages.find(scope, workspace, ids[0]));
  return {
    sequence: await use.events.newest(scope, workspace),
    live: new Set(headers.filter((page) => page.trashBatch === null).map((page) => page.id)),
    text: first ? first.content : null,
  };
}

async function keepProposal(
  use: WorkspaceMeans,
  ticket: ProposeTicket,
  call: ProposedCall,
): Promise<Readonly<Record<string, unknown>>> {
  const landing = requireTicket(ticket, call.kind, 'propose');
  const { tx, submission } = landing;
  const workspace = workspaceOf(submission);
  if (call.concerns.length > MAX_CONCERNS) {
    const what = `The change needs an author and is too large to propose: it is about ${call.concerns.length} pages, at most ${MAX_CONCERNS} can be`;
    throw new SluiceError('review_required', what);
  }
  const first = call.concerns[0]?.id as PageId | undefined;
  const [page] = first ? await use.pages.headers(tx, workspace, [first]) : [];
  const { text, change } = await textOf(call);
  const proposal: Proposal = {
    id: use.ids.next<ProposalId>(),
    workspace,
    page: page?.id ?? null,
    op: submission.tool,
    arguments: call.arguments,
    concerns: concernsOf(call),
    sources: submission.derivedFrom,
    text,
    origin: submission.origin,
    by: proposerOf(submission),
    summary: summarize(call, page?.title, change),
    overlaps: call.after === undefined,
    state: 'pending',
    createdAt: submission.at,
    expiresAt: submission.at + use.expireProposalsAfterMs,
    decided: null,
  };
  await use.proposals.insert(tx, [proposal]);
  const version = page?.version ?? null;
  const details = { proposal: proposal.id, op: proposal.op };
  const versions = { beforeVersion: version, afterVersion: version };
  await recordChange(use, landing, workspace, [
    { kind: 'change_proposed', page: proposal.page, ...versions, details, sources: [] },
  ]);
  return describe(proposal, page, change);
}

/** What could not be merged is kept as it was sent, against the version it was made for. */
function concernsOf({ concerns, before, after, arguments: given }: ProposedCall): readonly Concern[] {
  const base = after === undefined ? given.base_version : undefined;
  return concerns.map((entity, i): Concern => {
    if (i === 0 && typeof base === 'string') return { ...entity, version: base };
    const removed = before.live.has(entity.id) && after?.live.has(entity.id) === false;
    return removed ? { ...entity, removed } : entity;
  });
}

function textOf({ before, after, arguments: given }: ProposedCall): {
  readonly text: string | null;
  readonly change?: ChangeSummary;
} {
  const wanted = after ? after.text : given.content;
  if (typeof wanted !== 'string' || before.text === null || wanted === before.text) return { text: null };
  return { text: wanted, change: describeChange(before.text, wanted) };
}

/** What the caller hears instead of what it asked for. */
const describe = (proposal: Proposal, page: PageHeader | undefined, change: ChangeSummary | undefined) => ({
  id: proposal.id,
  state: proposal.state,
  op: proposal.op,
  page: proposal.page,
  title: page?.title ?? null,
  summary: proposal.summary,
  overlaps: proposal.overlaps,
  base_version: proposal.concerns[0]?.version ?? null,
  expires_at: proposal.expiresAt === null ? null : new Date(proposal.expiresAt).toISOString(),
  ...(change && { change }),
});

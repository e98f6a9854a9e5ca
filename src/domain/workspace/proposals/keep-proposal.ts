/** The desk that the gateway puts calls on which need an author's yes. */
import { SluiceError } from '../../../kernel/errors.ts';
import type { PageId, ProposalId, WorkspaceId } from '../../../kernel/ids.ts';
import type { Look, ProposedCall, ReviewDesk } from '../../../kernel/ports/review-desk.ts';
import type { ReadScope } from '../../../kernel/ports/unit-of-work.ts';
import type { EntityVersion } from '../../../kernel/submission.ts';
import { type Landing, type ProposeTicket, requireTicket } from '../../../kernel/ticket.ts';
import { type ChangeSummary, describeChange } from '../describe-change.ts';
import type { WorkspaceMeans } from '../means.ts';
import type { PageHeader } from '../page.ts';
import { workspaceOf } from '../page-rules.ts';
import { recordChange } from '../record-change.ts';
import { accountChanges } from './account-changes.ts';
import { proposerOf } from './candidates.ts';
import { factsOf } from './facts.ts';
import { countPages, type PageCounts, sayPages } from './page-counts.ts';
import type { Concern, Proposal } from './proposal.ts';
import { summarize, summarizeOthers } from './summarize.ts';

/** More than anybody would look through. */
const MAX_CONCERNS = 1_000;

export function reviewDesk(use: WorkspaceMeans): ReviewDesk {
  return {
    look: (scope, workspace, entities, since) => look(use, scope, workspace, entities, since),
    keep: (ticket, call) => keepProposal(use, ticket, call),
  };
}

async function look(
  use: WorkspaceMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  entities: readonly EntityVersion[],
  since: number | undefined,
): Promise<Look> {
  const ids = entities.map(({ id }) => id as PageId);
  const headers = await use.pages.headers(scope, workspace, ids);
  const first = ids[0] && (await use.pages.find(scope, workspace, ids[0]));
  return {
    sequence: await use.events.newest(scope, workspace),
    live: new Set(headers.filter((page) => page.trashBatch === null).map((page) => page.id)),
    text: first ? first.content : null,
    standing: new Map(
      headers.map(({ id, title, icon, parent, position }) => [id, { title, icon, parent, position }]),
    ),
    ...(since === undefined ? NOTHING_SINCE : await accountChanges(use, scope, workspace, entities, since)),
  };
}

const NOTHING_SINCE: Pick<Look, 'changes' | 'followers' | 'more' | 'files'> = {
  changes: new Map(),
  followers: [],
  more: false,
  files: [],
};

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
  const proposed = {
    id: use.ids.next<ProposalId>(),
    workspace,
    op: submission.tool,
    arguments: call.arguments,
    concerns: concernsOf(call, text),
  };
  const others = (await use.otherCandidates?.changes(tx, submission.caller, proposed, submission.at)) ?? [];
  const proposal: Proposal = {
    ...proposed,
    page: page?.id ?? null,
    sources: submission.derivedFrom,
    text,
    origin: submission.origin,
    by: proposerOf(submission),
    summary:
      others.length > 0
        ? summarizeOthers(call, others)
        : summarize(call, page?.title, change, await parentTitle(use, landing, call)),
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
  return describe(proposal, page, change, countPages(proposal));
}

/** People know pages by their titles. */
async function parentTitle(
  use: WorkspaceMeans,
  { tx, submission }: Landing,
  { arguments: { parent } }: ProposedCall,
): Promise<ReadonlyMap<string, string>> {
  if (typeof parent !== 'string') return new Map();
  const headers = await use.pages.headers(tx, workspaceOf(submission), [parent as PageId]);
  return new Map(headers.map(({ id, title }) => [id, title]));
}

/** What could not be merged is kept as it was sent, against the version it was made for. */
function concernsOf(call: ProposedCall, text: string | null): readonly Concern[] {
  const { concerns, before, after, arguments: given } = call;
  if (!after)
    return concerns.map((entity, i) =>
      i === 0 && typeof given.base_version === 'string' ? { ...entity, version: given.base_version } : entity,
    );
  const asked = concerns.map((entity, i): Concern => {
    const removed = before.live.has(entity.id) && !after.live.has(entity.id);
    // What the proposal is about is compared anew whenever somebody looks.
    const change = i === 0 && text !== null ? undefined : after.changes.get(entity.id);
    const facts = factsOf(before, after, entity.id, i === 0);
    return {
      ...entity,
      ...(removed && { removed }),
      ...(change && { change }),
      ...(facts.length > 0 && { facts }),
      ...(i === 0 && after.more && { more: true }),
    };
  });
  const followers = after.followers.map((entity): Concern => {
    const change = after.changes.get(entity.id);
    return { ...entity, follows: true, ...(change && { change }) };
  });
  return [...asked, ...followers];
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
const describe = (
  proposal: Proposal,
  page: PageHeader | undefined,
  change: ChangeSummary | undefined,
  counts: PageCounts,
) => ({
  id: proposal.id,
  state: proposal.state,
  op: proposal.op,
  page: proposal.page,
  title: page?.title ?? null,
  summary: sayPages(proposal.summary, counts),
  overlaps: proposal.overlaps,
  base_version: proposal.concerns[0]?.version ?? null,
  expires_at: proposal.expiresAt === null ? null : new Date(proposal.expiresAt).toISOString(),
  ...(change && { change }),
});

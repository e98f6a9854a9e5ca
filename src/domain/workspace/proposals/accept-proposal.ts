/**
 * An author's yes. A change is carried out as it was asked for, merged into the pages as they are now, under the name
 * of whoever proposed it; a new page becomes canonical. Accepting changes lifecycle, never origin.
 */
import { type AcceptedCall, acceptCall, type KeptCall } from '../../../kernel/accepted-call.ts';
import type { Caller } from '../../../kernel/caller.ts';
import { invalidInput, SluiceError } from '../../../kernel/errors.ts';
import type { PageId } from '../../../kernel/ids.ts';
import type { Lifecycle } from '../../../kernel/submission.ts';
import type { Landing } from '../../../kernel/ticket.ts';
import type { WorkspaceMeans } from '../means.ts';
import { recordChange } from '../record-change.ts';
import { decisionOf, reviewedPage } from './candidates.ts';
import { landEdited, proposersPart } from './edited-text.ts';
import { factsNow, overlap } from './facts.ts';
import { isNewPage, type Proposal } from './proposal.ts';
import { pendingProposal } from './review.ts';
import { requireUnchangedSinceSeen, type Seen } from './seen-by-reviewer.ts';

export interface AcceptWish {
  readonly proposal: string;
  /** The text the author wants instead, made from the page's text as it is now. */
  readonly content?: string | undefined;
  /** The version of the page that the author looked at; something newer is not accepted unseen. */
  readonly version?: string | undefined;
  /** What the reviewer has read, for when no version is given. */
  readonly seen: Seen;
  /** Other arguments than the proposed ones. */
  readonly arguments?: Readonly<Record<string, unknown>> | undefined;
  readonly note?: string | undefined;
  /** Also removes or replaces what was changed since. */
  readonly despiteChanges: boolean;
}

export interface Accepted {
  readonly proposal: Proposal;
  /** Of the page it is about, now. */
  readonly version: string | null;
}

/** Runs a tool's handler again; the gateway does that. */
export type CarryOut = (call: AcceptedCall) => Promise<unknown>;

export async function acceptProposal(
  use: WorkspaceMeans,
  landing: Landing,
  wish: AcceptWish,
  carryOut: CarryOut,
): Promise<Accepted> {
  const { tx } = landing;
  const proposal = await pendingProposal(use, landing, wish.proposal);
  const from = isNewPage(proposal) ? await promote(use, landing, proposal, wish) : undefined;
  if (from === undefined) await carryOutAgain(use, landing, proposal, wish, carryOut);
  await use.proposals.decide(tx, proposal.id, 'accepted', decisionOf(landing, wish.note ?? null));
  const [page] =
    proposal.page === null ? [] : await use.pages.headers(tx, proposal.workspace, [proposal.page]);
  const version = page?.version ?? null;
  await recordChange(use, landing, proposal.workspace, [
    {
      kind: 'proposal_accepted',
      page: proposal.page,
      beforeVersion: version,
      afterVersion: version,
      details: {
        proposal: proposal.id,
        op: proposal.op,
        proposed_by: proposal.by.principal.name,
        ...(from !== undefined && { lifecycle: { from, to: 'canonical' } }),
        ...(wish.note !== undefined && { note: wish.note }),
      },
    },
  ]);
  return { proposal, version };
}

/** A page below one that itself waits would be canonical at an address that is not. Answers what it was before. */
async function promote(
  use: WorkspaceMeans,
  landing: Landing,
  proposal: Proposal,
  wish: AcceptWish,
): Promise<Lifecycle> {
  if (wish.arguments)
    throw new SluiceError('invalid_input', '"arguments" are for changes, not for new pages');
  const { tx } = landing;
  const page = await reviewedPage(use, landing, proposal);
  if (wish.version === undefined) await requireUnchangedSinceSeen(use, landing, page, wish.seen.get(page.id));
  else requireSeen(page.version, wish.version);
  const [parent] = page.parent === null ? [] : await use.pages.headers(tx, page.workspace, [page.parent]);
  if (parent && parent.lifecycle !== 'canonical') {
    throw new SluiceError('conflict', `"${parent.title}", which it stands under, has to be accepted first`, {
      reason: 'parent',
      proposal: parent.id,
    });
  }
  if (wish.content !== undefined) await landEdited(use, landing, page, wish.content, proposal.id);
  await use.pages.update(tx, page.id, { lifecycle: 'canonical' });
  return page.lifecycle;
}

function requireSeen(version: string, seen: string | undefined): void {
  if (seen === undefined || seen === version) return;
  throw new SluiceError('conflict', 'The page has changed since the version you looked at', {
    reason: 'stale',
    version,
  });
}

async function carryOutAgain(
  use: WorkspaceMeans,
  landing: Landing,
  proposal: Proposal,
  wish: AcceptWish,
  carryOut: CarryOut,
): Promise<void> {
  if (proposal.page === null) requireAboutPage(wish);
  await requireUnchanged(use, landing, proposal, wish);
  const asked = { tool: proposal.op, arguments: { ...proposal.arguments, ...wish.arguments } };
  const run = (call: Pick<KeptCall, 'tool' | 'arguments'>): Promise<unknown> =>
    explained(use, landing, proposal, () => carryOut(acceptCall(landing, keptCall(proposal, call, wish))));
  if (wish.content === undefined) {
    if (wish.version !== undefined)
      requireSeen((await reviewedPage(use, landing, proposal)).version, wish.version);
    await run(asked);
    return;
  }
  const page = await reviewedPage(use, landing, proposal);
  const own = await proposersPart(use, landing, proposal, { content: wish.content, version: wish.version });
  if (own) await run(own);
  await landEdited(use, landing, page, wish.content, proposal.id);
}

/** Memory, for example, has neither the text nor the version of a page. */
function requireAboutPage(wish: AcceptWish): void {
  for (const field of ['content', 'version'] as const)
    if (wish[field] !== undefined)
      throw invalidInput(field, 'is for a proposal about a page; this one is about none');
}

/** What is to be removed must still be what was to be removed, and what is to be called or placed otherwise as it was. */
async function requireUnchanged(
  use: WorkspaceMeans,
  { tx }: Landing,
  proposal: Proposal,
  { despiteChanges }: AcceptWish,
): Promise<void> {
  if (despiteChanges) return;
  const { workspace, concerns } = proposal;
  const clashing = (await factsNow(use, tx, proposal)).filter(({ clashes }) => clashes);
  if (clashing.length > 0) throw overlap(clashing);
  const removed = new Map(concerns.filter((one) => one.removed).map((one) => [one.id, one.version]));
  if (removed.size === 0) return;
  const headers = await use.pages.headers(tx, workspace, [...removed.keys()] as PageId[]);
  const changed = headers.filter((page) => removed.get(page.id) !== page.version);
  if (changed.length === 0) return;
  throw new SluiceError(
    'conflict',
    `"${changed[0]?.title}" was changed since it was to be removed; "despite_changes" removes it all the same`,
    {
      reason: 'overlap',
      pages: changed.slice(0, 20).map(({ id, title, version }) => ({ page: id, title, version })),
    },
  );
}

/** A page that is not there any more is no fault of the call. */
async function explained<T>(
  use: WorkspaceMeans,
  landing: Landing,
  proposal: Proposal,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await landing.tx.attempt(work);
  } catch (error) {
    if (error instanceof SluiceError && error.code === 'not_found')
      await reviewedPage(use, landing, proposal);
    throw error;
  }
}

function keptCall(
  proposal: Proposal,
  call: Pick<KeptCall, 'tool' | 'arguments'>,
  { despiteChanges }: AcceptWish,
): KeptCall {
  return {
    despiteChanges,
    ...call,
    asked: proposal.op,
    proposal: proposal.id,
    callId: proposal.by.call,
    caller: callerOf(proposal),
    origin: proposal.origin,
    derivedFrom: proposal.sources,
    entities: new Set(proposal.concerns.filter(({ follows }) => !follows).map(({ id }) => id)),
  };
}

/** Who it was, with no rights of its own: it is the author's yes by which the change lands. */
const callerOf = ({ by, origin, workspace }: Proposal): Caller => ({
  surface: 'in-process',
  principal: by.principal,
  credential: by.credential,
  role: by.role,
  scopes: new Set(),
  reach: 'orchestrator',
  allowedOrigin: origin,
  context: { workspace, run: by.run, ...(by.thread !== null && { thread: by.thread }) },
});

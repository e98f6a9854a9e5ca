/** Pages that agents made or that were imported: they are there at once, and an author's yes makes them canonical. */
import { SluiceError } from '../../../kernel/errors.ts';
import type { Submission } from '../../../kernel/submission.ts';
import type { Landing } from '../../../kernel/ticket.ts';
import type { WorkspaceMeans } from '../means.ts';
import type { Page, PageHeader } from '../page.ts';
import { type Decided, NEW_PAGE, newPageProposal, type Proposal, type Proposer } from './proposal.ts';

/** Candidates and drafts are listed with everything else that waits. They never expire: the pages would be stuck. */
export async function putUpForReview(
  use: Pick<WorkspaceMeans, 'proposals'>,
  { tx, submission }: Landing,
  pages: readonly Page[],
): Promise<void> {
  const waiting = pages.filter(({ lifecycle }) => lifecycle !== 'canonical');
  await use.proposals.insert(
    tx,
    waiting.map((page) => newPage(submission, page)),
  );
}

function newPage(submission: Submission, page: Page): Proposal {
  return {
    id: newPageProposal(page.id),
    workspace: page.workspace,
    page: page.id,
    op: NEW_PAGE,
    arguments: {},
    concerns: [{ kind: 'page', id: page.id, version: page.version }],
    sources: submission.derivedFrom,
    text: null,
    origin: submission.origin,
    by: proposerOf(submission),
    summary: `${page.lifecycle === 'draft' ? 'Imported' : 'New'} page "${page.title}"`,
    overlaps: false,
    state: 'pending',
    createdAt: submission.at,
    expiresAt: null,
    decided: null,
  };
}

export function proposerOf({ caller, callId }: Submission): Proposer {
  const { principal, role, credential, context } = caller;
  return { principal, role, credential, run: context.run, thread: context.thread ?? null, call: callId };
}

/** The page of a proposal, as it must be for anything to become of it. */
export async function reviewedPage(
  use: Pick<WorkspaceMeans, 'pages'>,
  { tx }: Landing,
  { workspace, page, id }: Proposal,
): Promise<PageHeader> {
  if (page === null) throw gone('gone', 'What this proposal is about is not there any more', id);
  const [header] = await use.pages.headers(tx, workspace, [page]);
  if (!header) throw gone('purged', 'The page of this proposal is gone for good', id);
  if (header.trashBatch !== null) throw gone('trashed', `"${header.title}" is in the trash`, id);
  return header;
}

const gone = (reason: string, message: string, proposal: string): SluiceError =>
  new SluiceError('conflict', message, { reason, proposal });

export function decisionOf({ submission }: Landing, note: string | null): Decided {
  const { caller, at } = submission;
  return { at, by: caller.principal.id, byName: caller.principal.name, note };
}

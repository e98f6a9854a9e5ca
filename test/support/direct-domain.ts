/** The domain as somebody would call it who goes round the pipeline: a real store, tickets made at will. */
import type { WorkspaceMeans } from '../../src/domain/workspace/means.ts';
import { createTextDocuments } from '../../src/drivers/loro/text-documents.ts';
import type { Caller } from '../../src/kernel/caller.ts';
import type { CallId, CredentialId, PrincipalId, RunId, WorkspaceId } from '../../src/kernel/ids.ts';
import { SCOPES } from '../../src/kernel/scopes.ts';
import type { Submission } from '../../src/kernel/submission.ts';
import { createTicketMint, type LandTicket } from '../../src/kernel/ticket.ts';
import type { TestStore } from './test-store.ts';

export const AUTHOR: Caller = {
  surface: 'in-process',
  principal: { kind: 'author', id: 'owner' as PrincipalId, name: 'owner' },
  credential: 'c' as CredentialId,
  role: 'owner',
  scopes: new Set(SCOPES),
  reach: 'both',
  allowedOrigin: 'authored',
  context: { run: 'author-run' as RunId },
};

export const AGENT: Caller = {
  ...AUTHOR,
  principal: { kind: 'agent', id: 'agent:bot' as PrincipalId, name: 'bot' },
  role: 'agent',
  allowedOrigin: 'agent-produced',
  context: { run: 'agent-run' as RunId },
};

export function directDomain({ store, ids, clock }: TestStore, workspace: WorkspaceId) {
  const use: WorkspaceMeans = {
    ...store,
    texts: createTextDocuments(),
    ids,
    expireProposalsAfterMs: 1_000,
  };
  const mint = createTicketMint();
  const submission = (caller: Caller, more: Partial<Submission> = {}): Submission => ({
    kind: 'page',
    callId: ids.next<CallId>(),
    tool: 'a tool',
    caller,
    workspace,
    origin: caller.allowedOrigin,
    lifecycle: caller.allowedOrigin === 'authored' ? 'canonical' : 'candidate',
    derivedFrom: [],
    at: clock.now(),
    ...more,
  });
  /** One unit with a ticket for this submission. */
  const write = <T>(given: Submission, work: (ticket: LandTicket) => Promise<T>): Promise<T> =>
    store.units.write({ workspace }, (tx) => work(mint.land(tx, given)));
  return { use, mint, submission, write };
}

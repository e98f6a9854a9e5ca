/** Proposals in SQL. */
import type { Selectable } from 'kysely';
import type { ProposalStore } from '../../domain/workspace/ports/proposal-store.ts';
import type {
  Decided,
  Proposal,
  ProposalEntry,
  ProposalState,
  Proposer,
} from '../../domain/workspace/proposals/proposal.ts';
import type { Principal } from '../../kernel/caller.ts';
import type {
  CallId,
  CredentialId,
  PageId,
  PrincipalId,
  ProposalId,
  RunId,
  ThreadId,
  WorkspaceId,
} from '../../kernel/ids.ts';
import type { Origin } from '../../kernel/submission.ts';
import { inPieces, ofWorkspace } from './chunks.ts';
import type { Database } from './schema.ts';
import { reading, writing } from './scopes.ts';

type Row = Selectable<Database['proposal']>;

/** Without the texts, which are large. */
const ENTRY = [
  'id',
  'workspace_id',
  'page_id',
  'op',
  'concerns',
  'origin',
  'principal_kind',
  'principal_id',
  'principal_name',
  'role',
  'credential_id',
  'run_id',
  'thread_id',
  'call_id',
  'summary',
  'overlapping',
  'state',
  'created_at',
  'expires_at',
  'decided_at',
  'decided_by',
  'decided_by_name',
  'note',
] as const satisfies readonly (keyof Row)[];

export const proposalStore: ProposalStore = {
  async find(scope, workspace, id) {
    const row = await reading(scope)
      .selectFrom('proposal')
      .selectAll()
      .where('workspace_id', '=', workspace)
      .where('id', '=', id)
      .executeTakeFirst();
    return row && toProposal(row);
  },

  async list(scope, workspace, { state, run, page, caller, origin, now }, limit, before) {
    let query = reading(scope).selectFrom('proposal').select(ENTRY).where('workspace_id', '=', workspace);
    if (state === 'pending')
      query = query
        .where('state', '=', 'pending')
        .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', now)]));
    else if (state === 'expired')
      query = query.where((is) =>
        is.or([
          is('state', '=', 'expired'),
          is.and([is('state', '=', 'pending'), is('expires_at', '<=', now)]),
        ]),
      );
    else if (state !== undefined) query = query.where('state', '=', state);
    if (run !== undefined) query = query.where('run_id', '=', run);
    if (page !== undefined) query = query.where('page_id', '=', page);
    if (origin !== undefined) query = query.where('origin', '=', origin);
    if (caller !== undefined)
      query = query.where((is) =>
        is.or([is('principal_id', '=', caller), is('principal_name', '=', caller)]),
      );
    if (before !== undefined) query = query.where('id', '<', before);
    return (await query.orderBy('id', 'desc').limit(limit).execute()).map(toEntry);
  },

  async pendingOfRun(scope, workspace, run, now, limit) {
    const rows = await reading(scope)
      .selectFrom('proposal')
      .select(ENTRY)
      .where('workspace_id', '=', workspace)
      .where('run_id', '=', run)
      .where('state', '=', 'pending')
      .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', now)]))
      .orderBy('id')
      .limit(limit)
      .execute();
    return rows.map(toEntry);
  },

  async pendingOfPages(scope, workspace, pages) {
    const rows = await inPieces(pages, (piece) =>
      reading(scope)
        .selectFrom('proposal')
        .select(ENTRY)
        .where('page_id', 'in', [...piece])
        .where('state', '=', 'pending')
        .orderBy('id')
        .execute(),
    );
    return ofWorkspace(rows, workspace).map(toEntry);
  },

  async pendingTexts(scope, workspace, page, by, now) {
    const rows = await reading(scope)
      .selectFrom('proposal')
      .selectAll()
      .where('workspace_id', '=', workspace)
      .where('page_id', '=', page)
      .where('principal_id', '=', by)
      .where('state', '=', 'pending')
      .where('expires_at', '>', now)
      .where('proposed_text', 'is not', null)
      .orderBy('id')
      .execute();
    return rows.map(toProposal);
  },

  async insert(tx, proposals) {
    await inPieces(proposals.map(fromProposal), async (piece) => {
      await writing(tx)
        .insertInto('proposal')
        .values([...piece])
        .execute();
      return [];
    });
  },

  async decide(tx, id, state, { at, by, byName, note }) {
    const row = { state, decided_at: at, decided_by: by, decided_by_name: byName, note };
    await writing(tx).updateTable('proposal').set(row).where('id', '=', id).execute();
  },

  async reopen(tx, ids) {
    await inPieces(ids, async (piece) => {
      await writing(tx)
        .updateTable('proposal')
        .set({ state: 'pending', decided_at: null, decided_by: null, decided_by_name: null, note: null })
        .where('id', 'in', [...piece])
        .where('state', '=', 'rejected')
        .execute();
      return [];
    });
  },

  async expire(tx, now) {
    const { numUpdatedRows } = await writing(tx)
      .updateTable('proposal')
      .set({ state: 'expired' })
      .where('state', '=', 'pending')
      .where('expires_at', '<=', now)
      .executeTakeFirst();
    return Number(numUpdatedRows);
  },
};

function fromProposal(proposal: Proposal): Row {
  const { by, decided } = proposal;
  return {
    id: proposal.id,
    workspace_id: proposal.workspace,
    page_id: proposal.page,
    op: proposal.op,
    arguments: JSON.stringify(proposal.arguments),
    concerns: JSON.stringify(proposal.concerns),
    sources: JSON.stringify(proposal.sources),
    proposed_text: proposal.text,
    origin: proposal.origin,
    principal_kind: by.principal.kind,
    principal_id: by.principal.id,
    principal_name: by.principal.name,
    role: by.role,
    credential_id: by.credential,
    run_id: by.run,
    thread_id: by.thread,
    call_id: by.call,
    summary: proposal.summary,
    overlapping: proposal.overlaps ? 1 : 0,
    state: proposal.state,
    created_at: proposal.createdAt,
    expires_at: proposal.expiresAt,
    decided_at: decided?.at ?? null,
    decided_by: decided?.by ?? null,
    decided_by_name: decided?.byName ?? null,
    note: decided?.note ?? null,
  };
}

const toProposal = (row: Row): Proposal => ({
  ...toEntry(row),
  arguments: JSON.parse(row.arguments),
  sources: JSON.parse(row.sources),
  text: row.proposed_text,
});

function toEntry(row: Pick<Row, (typeof ENTRY)[number]>): ProposalEntry {
  return {
    id: row.id as ProposalId,
    workspace: row.workspace_id as WorkspaceId,
    page: row.page_id as PageId | null,
    op: row.op,
    concerns: JSON.parse(row.concerns),
    origin: row.origin as Origin,
    by: proposerOf(row),
    summary: row.summary,
    overlaps: row.overlapping === 1,
    state: row.state as ProposalState,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    decided: decidedOf(row),
  };
}

const proposerOf = (row: Pick<Row, (typeof ENTRY)[number]>): Proposer => ({
  principal: {
    kind: row.principal_kind as Principal['kind'],
    id: row.principal_id as PrincipalId,
    name: row.principal_name,
  },
  role: row.role,
  credential: row.credential_id as CredentialId,
  run: row.run_id as RunId,
  thread: row.thread_id as ThreadId | null,
  call: row.call_id as CallId,
});

const decidedOf = (row: Pick<Row, (typeof ENTRY)[number]>): Decided | null =>
  row.decided_at === null
    ? null
    : {
        at: row.decided_at,
        by: row.decided_by as PrincipalId,
        byName: row.decided_by_name ?? '',
        note: row.note,
      };

/** Approvals in SQL. */
import type { Approval } from '../../domain/governance/approvals/approval.ts';
import type { ApprovalChange, ApprovalStore } from '../../domain/governance/approvals/approval-store.ts';
import type { ApprovalId, CallId, PrincipalId } from '../../kernel/ids.ts';
import type { Database } from './schema.ts';
import { reading, writing } from './scopes.ts';

type Row = Database['approval'];

/** Of one call there are seldom more than two or three at a time. */
const FEW = 20;

export const approvalStore: ApprovalStore = {
  async find(scope, id) {
    const row = await reading(scope)
      .selectFrom('approval')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
    return row && toApproval(row);
  },

  async ofKey(scope, { principal, tool, inputDigest }) {
    const rows = await reading(scope)
      .selectFrom('approval')
      .selectAll()
      .where('principal_id', '=', principal)
      .where('tool', '=', tool)
      .where('input_digest', '=', inputDigest)
      .orderBy('id', 'desc')
      .limit(FEW)
      .execute();
    return rows.map(toApproval);
  },

  async ofRun(scope, { principal, run, tool }) {
    const rows = await reading(scope)
      .selectFrom('approval')
      .selectAll()
      .where('principal_id', '=', principal)
      .where('tool', '=', tool)
      .where('run_id', '=', run)
      .where('state', '=', 'approved')
      .where('decision', '=', 'APPROVED_FOR_SESSION')
      .orderBy('id', 'desc')
      .limit(FEW)
      .execute();
    return rows.map(toApproval);
  },

  async ofCall(scope, call) {
    const rows = await reading(scope)
      .selectFrom('approval')
      .selectAll()
      .where(({ eb, or }) =>
        or([eb('call_id', '=', call), eb('decided_call', '=', call), eb('used_call', '=', call)]),
      )
      .orderBy('id')
      .limit(FEW)
      .execute();
    return rows.map(toApproval);
  },

  async list(scope, { state, kind }, limit, before) {
    let query = reading(scope).selectFrom('approval').selectAll();
    if (state !== undefined) query = query.where('state', '=', state);
    if (kind !== undefined) query = query.where('kind', '=', kind);
    if (before !== undefined) query = query.where('id', '<', before);
    return (await query.orderBy('id', 'desc').limit(limit).execute()).map(toApproval);
  },

  async beyond(scope, { kind, principal }, count) {
    let query = reading(scope)
      .selectFrom('approval')
      .selectAll()
      .where('state', '=', 'pending')
      .where('kind', '=', kind);
    if (principal !== undefined) query = query.where('principal_id', '=', principal);
    return (await query.orderBy('id', 'desc').limit(FEW).offset(count).execute()).map(toApproval);
  },

  async releasedTools(scope) {
    const rows = await reading(scope)
      .selectFrom('approval')
      .select('tool')
      .distinct()
      .where('state', '=', 'approved')
      .where('kind', '=', 'postfirewall')
      .execute();
    return rows.map(({ tool }) => tool);
  },

  async add(tx, approval) {
    await writing(tx).insertInto('approval').values(toRow(approval)).execute();
  },

  async change(tx, id, { state, usedCall }, change) {
    let query = writing(tx)
      .updateTable('approval')
      .set(toColumns(change))
      .where('id', '=', id)
      .where('state', '=', state);
    if (usedCall !== undefined) query = query.where('used_call', '=', usedCall);
    const { numUpdatedRows } = await query.executeTakeFirst();
    return numUpdatedRows === 1n;
  },

  async expire(tx, now) {
    const due = await writing(tx)
      .selectFrom('approval')
      .selectAll()
      .where('state', 'in', ['pending', 'approved'])
      .where('expires_at', '<=', now)
      .execute();
    if (due.length === 0) return [];
    await writing(tx)
      .updateTable('approval')
      .set({ state: 'expired', blob: null })
      .where('state', 'in', ['pending', 'approved'])
      .where('expires_at', '<=', now)
      .execute();
    return due.map(toApproval);
  },

  async forget(tx, before) {
    const gone = await writing(tx)
      .deleteFrom('approval')
      .where('state', 'in', ['rejected', 'used', 'expired'])
      .where('expires_at', '<', before)
      .executeTakeFirst();
    return Number(gone.numDeletedRows);
  },
};

function toColumns(change: ApprovalChange): Partial<Row> {
  const { decidedAt, decidedBy, decidedCall, usedAt, usedCall, ...same } = change;
  return {
    ...same,
    ...(decidedAt !== undefined && { decided_at: decidedAt }),
    ...(decidedBy !== undefined && { decided_by: decidedBy }),
    ...(decidedCall !== undefined && { decided_call: decidedCall }),
    ...(usedAt !== undefined && { used_at: usedAt }),
    ...(usedCall !== undefined && { used_call: usedCall }),
  };
}

const toRow = (approval: Approval): Row => ({
  id: approval.id,
  kind: approval.kind,
  state: approval.state,
  call_id: approval.call,
  principal_kind: approval.caller.kind,
  principal_id: approval.principal,
  principal_name: approval.caller.name,
  run_id: approval.run,
  tool: approval.tool,
  server: approval.server,
  effect: approval.effect,
  input_digest: approval.inputDigest,
  binding: approval.binding,
  policy: approval.policy,
  summary: JSON.stringify(approval.summary),
  created_at: approval.createdAt,
  expires_at: approval.expiresAt,
  decision: approval.decision,
  decided_at: approval.decidedAt,
  decided_by: approval.decidedBy,
  decided_call: approval.decidedCall,
  reason: approval.reason,
  used_at: approval.usedAt,
  used_call: approval.usedCall,
  blob: approval.blob,
});

const toApproval = (row: Row): Approval => ({
  id: row.id as ApprovalId,
  kind: row.kind as Approval['kind'],
  state: row.state as Approval['state'],
  call: row.call_id as CallId,
  caller: {
    kind: row.principal_kind as Approval['caller']['kind'],
    id: row.principal_id as PrincipalId,
    name: row.principal_name,
  },
  principal: row.principal_id as PrincipalId,
  run: row.run_id,
  tool: row.tool,
  server: row.server,
  effect: row.effect,
  inputDigest: row.input_digest,
  binding: row.binding,
  policy: row.policy,
  summary: JSON.parse(row.summary),
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  decision: row.decision as Approval['decision'],
  decidedAt: row.decided_at,
  decidedBy: row.decided_by,
  decidedCall: row.decided_call as CallId | null,
  reason: row.reason,
  usedAt: row.used_at,
  usedCall: row.used_call as CallId | null,
  blob: row.blob,
});

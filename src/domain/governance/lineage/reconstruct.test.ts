/** Evidence that does not fit together, field by field, and evidence that is not there any more. */
import { expect, it } from 'vitest';
import type { ApprovalId, CallId, PrincipalId } from '../../../kernel/ids.ts';
import type { Approval } from '../approvals/approval.ts';
import { type AuditRecord, auditEntry } from '../audit-record.ts';
import { tellLineage } from './reconstruct.ts';

const record = (given: Partial<AuditRecord> = {}): AuditRecord => ({
  ...auditEntry({
    created_at: 100,
    call_id: 'call',
    kind: 'tool',
    surface: 'mcp-http',
    tool_name: 'up.send',
    decision: 'allow',
    status: 'success',
    server: 'up',
    subject_id: 'client:bot',
    run_id: 'run',
    input_digest: 'sha256:in',
    note: 'pin',
    parent_call_id: 'asking',
  }),
  writer: 'w',
  sequence: 1,
  previous_hash: '',
  hash: '',
  ...given,
});

const approval = (given: Partial<Approval> = {}): Approval => ({
  id: 'yes' as ApprovalId,
  kind: 'preinvoke',
  state: 'used',
  call: 'asking' as CallId,
  caller: { kind: 'client', id: 'client:bot' as PrincipalId, name: 'bot' },
  principal: 'client:bot' as PrincipalId,
  run: 'run',
  tool: 'up.send',
  server: 'up',
  effect: 'external_side_effect',
  inputDigest: 'sha256:in',
  binding: 'pin',
  policy: 'p',
  summary: { arguments: '{}', masked: false },
  createdAt: 50,
  expiresAt: 1_000,
  decision: 'APPROVED_ONCE',
  decidedAt: 80,
  decidedBy: 'owner',
  decidedCall: 'deciding' as CallId,
  reason: 'yes',
  usedAt: 90,
  usedCall: 'call' as CallId,
  blob: null,
  ...given,
});

const STARTED = record({ phase: 'started', status: 'started' });
const FINISHED = record({ phase: 'finished', sequence: 2 });
const ASKING = record({ call_id: 'asking', parent_call_id: null, decision: 'deny', status: 'error' });

const told = (
  records: readonly AuditRecord[],
  [used]: readonly Approval[] = [approval()],
  parents: readonly AuditRecord[] = [ASKING],
) => {
  const [first, last] = [records[0], records.at(-1)] as [AuditRecord, AuditRecord];
  return tellLineage({ records, first, last, parents, asked: undefined, used });
};

it('[LINE-14] is whole when everything fits', () => {
  expect(told([STARTED, FINISHED])).toMatchObject({ outcome: 'RECONSTRUCTED', remarks: [] });
});

it.each<[string, readonly AuditRecord[], (readonly Approval[])?]>([
  ['an end without a beginning', [FINISHED]],
  ['two ends', [STARTED, FINISHED, { ...FINISHED, sequence: 3 }]],
  ['a beginning after the end', [FINISHED, STARTED]],
  ['an end of another tool', [STARTED, { ...FINISHED, tool_name: 'up.other' }]],
  ['an end of another provider', [STARTED, { ...FINISHED, server: 'other' }]],
  ['an end of another caller', [STARTED, { ...FINISHED, subject_id: 'client:eve' }]],
  ['an end in another run', [STARTED, { ...FINISHED, run_id: 'other' }]],
  ['an end of other arguments', [STARTED, { ...FINISHED, input_digest: 'sha256:other' }]],
  ['an end under another pin', [STARTED, { ...FINISHED, note: 'other' }]],
  ['an end that goes on with another call', [STARTED, { ...FINISHED, parent_call_id: 'other' }]],
  ['a yes for another tool', [STARTED, FINISHED], [approval({ tool: 'up.other' })]],
  ['a yes for another caller', [STARTED, FINISHED], [approval({ principal: 'client:eve' as PrincipalId })]],
  ['a yes for other arguments', [STARTED, FINISHED], [approval({ inputDigest: 'sha256:other' })]],
  ['a yes for another provider', [STARTED, FINISHED], [approval({ server: 'other' })]],
  ['a yes that nobody gave', [STARTED, FINISHED], [approval({ decision: null })]],
  ['a no that was used', [STARTED, FINISHED], [approval({ decision: 'REJECTED' })]],
  ['a yes that came after its use', [STARTED, FINISHED], [approval({ decidedAt: 95 })]],
])('[LINE-14] is invalid with %s', (_, records, approvals) => {
  expect(told(records, approvals)).toMatchObject({ outcome: 'INVALID_LINEAGE' });
});

it('[LINE-14] is invalid when the call before it was another caller’s', () => {
  const other = [{ ...ASKING, subject_id: 'client:eve' }];
  expect(told([STARTED, FINISHED], undefined, other)).toMatchObject({ outcome: 'INVALID_LINEAGE' });
});

it.each<[string, readonly AuditRecord[], readonly AuditRecord[]]>([
  ['without an end', [STARTED], [ASKING]],
  ['whose call before it is gone', [STARTED, FINISHED], []],
  [
    'of which the pin was not recorded',
    [
      { ...STARTED, note: null },
      { ...FINISHED, note: null },
    ],
    [ASKING],
  ],
])('[LINE-15] a call %s lacks evidence', (_, records, asking) => {
  expect(told(records, [approval()], asking)).toMatchObject({
    outcome: 'PARTIAL_MISSING_EVIDENCE',
  });
});

it('[LINE-15] what was masked for who decided makes it a redacted one', () => {
  const summary = { arguments: '{}', masked: true };
  expect(told([STARTED, FINISHED], [approval({ summary })])).toMatchObject({
    outcome: 'PARTIAL_REDACTED',
  });
});

/** Queries the audit log. */
import { z } from 'zod';
import { OWNER_ONLY } from '../../catalogue/registration.ts';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { AuditFilter, AuditPosition } from '../../domain/governance/audit-log.ts';
import { invalidInput } from '../../kernel/errors.ts';
import { readPointInTime } from '../../kernel/points-in-time.ts';
import type { AuditMeans } from './means.ts';
import { factsOf, recordFacts } from './record-shape.ts';

const text = z.string().max(300).optional();

export const list = defineTool({
  ...OWNER_ONLY,
  roles: ['owner', 'project_analyst'],
  name: 'audit.list',
  title: 'Query the audit log',
  summary:
    'Lists audit records, newest first, filtered by any indexed field. Records never hold arguments or results.',
  scopes: ['audit.read'],
  effect: 'read_only',
  example: { tool_name: 'read_page', status: 'error', since: '24h' },
  input: z.object({
    call_id: text,
    parent_call_id: text,
    tool_name: text,
    family: text,
    kind: text,
    surface: text,
    server: text,
    decision: z.enum(['allow', 'deny']).optional(),
    status: z.enum(['success', 'error', 'started', 'suspended', 'unconfirmed']).optional(),
    error_code: text,
    gate: text,
    subject_type: text,
    subject_id: text,
    subject_name: text.describe('Who made the call'),
    credential_id: text,
    workspace_id: text,
    project_id: text,
    task_id: text,
    job_id: text,
    run_id: text,
    thread_id: text,
    writer: text,
    since: z.string().max(40).optional().describe('A date, or a span back from now such as 24h'),
    until: z.string().max(40).optional(),
    limit: z.int().min(1).max(500).default(50),
    cursor: z.string().max(1_000).optional(),
  }),
  output: z.object({ records: z.array(recordFacts), next_cursor: z.string().optional() }),
  async handler(use: AuditMeans, input, call) {
    const { since, until, limit, cursor, ...equal } = input;
    const filter: AuditFilter = {
      ...(Object.fromEntries(
        Object.entries(equal).filter(([, value]) => value !== undefined),
      ) as AuditFilter),
      ...(since !== undefined && { since: readPointInTime('since', since, call.at, -1) }),
      ...(until !== undefined && { until: readPointInTime('until', until, call.at, -1) }),
    };
    const before = cursor === undefined ? undefined : readPosition(cursor);
    const found = await use.reader.list(call.read, filter, limit + 1, before);
    const records = found.slice(0, limit);
    const last = records.at(-1);
    return {
      records: records.map(factsOf),
      ...(found.length > limit && last && { next_cursor: writePosition(last) }),
    };
  },
});

const position = z.tuple([z.number(), z.string(), z.number()]);

const writePosition = (at: AuditPosition): string =>
  Buffer.from(JSON.stringify([at.created_at, at.writer, at.sequence])).toString('base64url');

function readPosition(cursor: string): AuditPosition {
  let read: unknown;
  try {
    read = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  const answer = position.safeParse(read);
  if (!answer.success) throw invalidInput('cursor', 'must be a next_cursor of audit.list');
  const [created_at, writer, sequence] = answer.data;
  return { created_at, writer, sequence };
}

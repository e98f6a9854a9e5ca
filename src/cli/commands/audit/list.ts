/** Queries the audit log. */
import { defineCommand, given, numberOf, textOf } from '../../command.ts';
import { table } from '../../output.ts';

/** Options that are equal to a field of the record. */
const FIELDS: Readonly<Record<string, string>> = {
  tool: 'tool_name',
  by: 'subject_name',
  run: 'run_id',
  call: 'call_id',
  status: 'status',
  decision: 'decision',
  error: 'error_code',
  gate: 'gate',
  kind: 'kind',
  surface: 'surface',
  workspace: 'workspace_id',
  task: 'task_id',
  project: 'project_id',
  credential: 'credential_id',
};

export const list = defineCommand({
  path: ['audit', 'list'],
  summary: 'List audit records, newest first',
  options: [
    ...Object.entries(FIELDS).map(([name, field]) => ({
      name,
      value: 'value',
      summary: `Only where ${field} is this`,
    })),
    { name: 'since', value: 'when', summary: 'A date, or a span such as 24h' },
    { name: 'until', value: 'when', summary: 'A date, or a span such as 1h' },
    { name: 'limit', value: 'number', summary: 'At most this many (500)' },
  ],
  examples: ['audit list --status error --since 24h', 'audit list --by claude-code --tool read_page --json'],
  async run({ call, output }, input) {
    const filters = Object.entries(FIELDS).map(([name, field]) => [field, textOf(input, name)]);
    const answer = await call(
      'audit.list',
      given({
        ...Object.fromEntries(filters),
        since: textOf(input, 'since'),
        until: textOf(input, 'until'),
        limit: numberOf(input, 'limit'),
      }),
    );
    output.data(answer, () => {
      const records = answer.records as Record<string, string>[];
      const rows = records.map((one) => [
        one.at ?? '',
        one.subject_name ?? '–',
        one.tool_name ?? '',
        one.decision ?? '',
        one.error_code ?? one.status ?? '',
        one.call_id ?? '',
      ]);
      return table(['WHEN', 'BY', 'TOOL', 'DECISION', 'OUTCOME', 'CALL'], rows);
    });
  },
});

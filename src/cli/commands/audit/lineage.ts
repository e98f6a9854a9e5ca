/** Where a call came from and what became of it. */
import { defineCommand, textOf } from '../../command.ts';
import { table } from '../../output.ts';

interface ShownStep {
  readonly step: string;
  readonly at?: string;
  readonly facts: Readonly<Record<string, string>>;
}

export const lineage = defineCommand({
  path: ['audit', 'lineage'],
  summary: 'Tell a call from who asked to what became of the answer, and how whole that story is',
  args: [{ name: 'call', summary: 'The id of the call' }],
  examples: ['audit lineage 0199c0de-0000-7000-8000-000000000000'],
  async run({ call, output }, input) {
    const answer = await call('audit.lineage', { call_id: textOf(input, 'call') });
    output.data(answer, () => {
      const rows = (answer.steps as ShownStep[]).map(({ step, at, facts }) => [
        step,
        at ?? '–',
        Object.entries(facts)
          .map(([name, value]) => `${name}=${value}`)
          .join(' '),
      ]);
      const remarks = (answer.remarks as string[]).map((remark) => `  ${remark}`);
      const related = (answer.related as string[]).map((id) => `  ${id}`);
      return [
        `${answer.outcome}: ${answer.disposition}`,
        '',
        table(['STEP', 'WHEN', 'WHAT IS KNOWN'], rows),
        ...(remarks.length > 0 ? ['', 'Not whole:', ...remarks] : []),
        ...(related.length > 0 ? ['', 'Belongs to the same story:', ...related] : []),
      ].join('\n');
    });
  },
});

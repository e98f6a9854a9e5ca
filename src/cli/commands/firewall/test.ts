/** Runs a corpus through the firewall and prints how much it finds and how often it cries wolf. */
import { defineCommand, textOf } from '../../command.ts';
import { type FirewallCase, readCases } from '../../firewall-cases.ts';
import { table } from '../../output.ts';

const AT_ONCE = 200;

interface Outcome {
  readonly id: string;
  readonly expect: string;
  readonly right: boolean;
  readonly rules: readonly string[];
}

export const testFirewall = defineCommand({
  path: ['firewall', 'test'],
  summary: 'Run a corpus through the output firewall and print its recall and its false alarms',
  args: [{ name: 'path', summary: 'A file of cases, or a folder of them', choices: 'path' }],
  examples: ['firewall test test/corpus/firewall', 'firewall test cases.jsonl --json'],
  async run({ withHome, output }, input) {
    const cases = readCases(textOf(input, 'path') ?? '');
    const outcomes = await withHome(async (home) => {
      const all: Outcome[] = [];
      for (let from = 0; from < cases.length; from += AT_ONCE) {
        const part = cases
          .slice(from, from + AT_ONCE)
          .map(({ id, text, expect }: FirewallCase) => ({ id, text, expect }));
        all.push(...((await home.call('firewall.check', { cases: part })).outcomes as Outcome[]));
      }
      return all;
    });
    const report = reportOf(outcomes);
    output.data(report, () => textOfReport(report));
  },
});

function reportOf(outcomes: readonly Outcome[]) {
  const kinds = [...new Set(outcomes.map(({ expect }) => expect))].filter((kind) => kind !== 'pass').sort();
  const recall = kinds.map((kind) => {
    const of = outcomes.filter(({ expect }) => expect === kind);
    return { kind, cases: of.length, found: of.filter(({ right }) => right).length };
  });
  const clean = outcomes.filter(({ expect }) => expect === 'pass');
  return {
    cases: outcomes.length,
    recall,
    clean: clean.length,
    false_alarms: clean.filter(({ right }) => !right).map(({ id, rules }) => ({ id, rules })),
    missed: outcomes.filter(({ expect, right }) => expect !== 'pass' && !right).map(({ id }) => id),
  };
}

function textOfReport({ recall, clean, false_alarms, missed }: ReturnType<typeof reportOf>): string {
  const rows = recall.map(({ kind, cases, found }) => [
    kind,
    `${found}/${cases}`,
    `${((100 * found) / cases).toFixed(1)} %`,
  ]);
  return [
    table(['KIND', 'FOUND', 'RECALL'], rows),
    '',
    `False alarms: ${false_alarms.length} of ${clean}`,
    ...false_alarms.map(({ id, rules }) => `  ${id} (${rules.join(', ')})`),
    ...(missed.length > 0 ? ['', `Missed: ${missed.join(', ')}`] : []),
  ].join('\n');
}

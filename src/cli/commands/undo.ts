/** Takes back everything one run did. */
import { invalidInput } from '../../kernel/errors.ts';
import { defineCommand, flagOf, textOf } from '../command.ts';

export const undoRun = defineCommand({
  path: ['undo'],
  summary: 'Take back everything one run did; what others did since stays',
  options: [
    { name: 'run', value: 'run', summary: 'From "sluice timeline"' },
    { name: 'dry-run', summary: 'Only say what would happen' },
    { name: 'workspace', value: 'name', summary: 'In this one' },
  ],
  examples: ['undo --run client:claude-code/nightly --dry-run'],
  async run({ call, output }, input) {
    const run = textOf(input, 'run');
    if (run === undefined) throw invalidInput('--run', 'must be given; "sluice timeline" shows runs');
    const wish = { run, dry_run: flagOf(input, 'dry-run') };
    const answer = await call('undo_run', wish, textOf(input, 'workspace'));
    output.data(answer, () => describe(answer));
  },
});

interface UndonePage {
  readonly title: string;
  readonly outcome: string;
  readonly reasons: readonly string[];
}

function describe(answer: Readonly<Record<string, unknown>>): string {
  const pages = answer.pages as readonly UndonePage[];
  const tense = answer.dry_run ? 'would be taken back' : 'taken back';
  return [
    ...pages.map(({ title, outcome, reasons }) =>
      [`${outcome}  ${title}`, ...reasons.map((reason) => `    ${reason}`)].join('\n'),
    ),
    `${answer.undone} things on ${answer.page_count} pages ${tense}, ${answer.kept} kept`,
    ...(answer.undo_run === undefined ? [] : [`This was the run ${answer.undo_run}`]),
  ].join('\n');
}

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
  readonly outcome: keyof typeof WOULD_BE;
  readonly effects: readonly string[];
  readonly lines_added: number;
  readonly lines_removed: number;
  readonly reasons: readonly string[];
}

function describe(answer: Readonly<Record<string, unknown>>): string {
  const pages = answer.pages as readonly UndonePage[];
  const tense = answer.dry_run ? 'would be taken back' : 'taken back';
  return [
    ...pages.map((page) =>
      [
        `${answer.dry_run ? WOULD_BE[page.outcome] : page.outcome}  ${page.title}`,
        ...[...effects(page), ...page.reasons].map((line) => `    ${line}`),
      ].join('\n'),
    ),
    `${answer.undone} things on ${answer.page_count} pages ${tense}, ${answer.kept} kept`,
    ...(answer.undo_run === undefined ? [] : [`This was the run ${answer.undo_run}`]),
  ].join('\n');
}

const WOULD_BE = {
  undone: 'would be undone',
  partly: 'would be undone in part',
  kept: 'would be kept',
  nothing: 'is as before already',
} as const;

const effects = ({
  effects: all,
  lines_added: added,
  lines_removed: removed,
}: UndonePage): readonly string[] =>
  all.map((effect) => (effect.includes('text') ? `${effect}: +${added} -${removed} lines` : effect));

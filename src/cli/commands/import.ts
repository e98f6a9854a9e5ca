/** Imports a folder of Markdown. */
import { resolve } from 'node:path';
import { DIALECT_NAMES, type ImportReport, importFolder, isDialect } from '../../app/import-folder.ts';
import { systemClock } from '../../kernel/clock.ts';
import { invalidInput } from '../../kernel/errors.ts';
import { defineCommand, flagOf, given, textOf } from '../command.ts';
import { progressBar } from '../progress-bar.ts';

/** More is for --json. */
const SHOWN = 50;

export const importVault = defineCommand({
  path: ['import'],
  summary: 'Bring a folder of Markdown in as pages; again brings in what changed',
  args: [{ name: 'folder', summary: 'An Obsidian vault, or any other folder of notes' }],
  options: [
    { name: 'dialect', value: 'name', summary: `How links are written: ${DIALECT_NAMES.join(', ')}` },
    { name: 'into', value: 'page', summary: 'Below this page' },
    { name: 'canonical', summary: 'Take the pages as canonical at once instead of as drafts' },
    { name: 'dry-run', summary: 'Only say what would happen' },
    { name: 'workspace', value: 'name', summary: 'Into this one' },
  ],
  examples: ['import ~/vault', 'import ~/dendron --dialect dendron --into archive --dry-run'],
  async run({ withHome, output }, input) {
    const dialect = textOf(input, 'dialect') ?? 'obsidian';
    if (!isDialect(dialect)) throw invalidInput('dialect', `must be one of ${DIALECT_NAMES.join(', ')}`);
    const dryRun = flagOf(input, 'dry-run');
    // A run of its own, so that it is accepted or undone by itself.
    const run = `import:${new Date(systemClock.now()).toISOString()}`;
    const workspace = textOf(input, 'workspace');
    const report = await withHome((home) =>
      importFolder((tool, wish) => home.call(tool, given(wish), workspace, run), {
        folder: resolve(textOf(input, 'folder') ?? ''),
        dialect,
        into: textOf(input, 'into'),
        canonical: flagOf(input, 'canonical'),
        dryRun,
        onProgress: (files, of) => output.progress(progressBar(files, of, 'files')),
      }),
    );
    output.progress('');
    output.data(report, () => describe(report, dryRun, flagOf(input, 'canonical')));
  },
});

function describe(report: ImportReport, dryRun: boolean, canonical: boolean): string {
  const { notes, attachments, links, odd, oddities, run, waiting } = report;
  const waits = !dryRun && !canonical && notes.created + notes.proposed > 0;
  const counts = Object.entries(notes).filter(([, count]) => count > 0);
  const shown = odd.slice(0, SHOWN).map(({ path, problem }) => `  ${path}: ${problem}`);
  return [
    `${dryRun ? 'Would be: notes ' : 'Notes: '}${counts.map(([name, count]) => `${count} ${name}`).join(', ') || 'none'}`,
    `Attachments: ${attachments.attached} new, ${attachments.unchanged} unchanged`,
    ...(dryRun ? [] : [`Links: ${links.unresolved} lead nowhere, ${links.ambiguous} are ambiguous`]),
    ...(waits ? [`They are drafts; "sluice review accept --run ${run}" makes them canonical`] : []),
    ...waiting.map(
      (one) =>
        `${one.notes} came with an earlier run and still wait: "sluice review accept --run ${one.run}"`,
    ),
    ...(oddities > 0 ? [`${oddities} need a look:`, ...shown] : []),
    ...(oddities > shown.length ? [`  … and ${oddities - shown.length} more; --json shows them`] : []),
  ].join('\n');
}

/** Imports a folder of Markdown. */
import { resolve } from 'node:path';
import { DIALECT_NAMES, type ImportReport, importFolder, isDialect } from '../../app/import-folder.ts';
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
    const report = await withHome((home) =>
      importFolder((tool, wish) => home.call(tool, given(wish), textOf(input, 'workspace')), {
        folder: resolve(textOf(input, 'folder') ?? ''),
        dialect,
        into: textOf(input, 'into'),
        canonical: flagOf(input, 'canonical'),
        dryRun,
        onProgress: (files, of) => output.progress(progressBar(files, of, 'files')),
      }),
    );
    output.progress('');
    output.data(report, () => describe(report, dryRun));
  },
});

function describe({ notes, attachments, links, odd, oddities }: ImportReport, dryRun: boolean): string {
  const counts = Object.entries(notes).filter(([, count]) => count > 0);
  const shown = odd.slice(0, SHOWN).map(({ path, problem }) => `  ${path}: ${problem}`);
  return [
    `${dryRun ? 'Would be: notes ' : 'Notes: '}${counts.map(([name, count]) => `${count} ${name}`).join(', ') || 'none'}`,
    `Attachments: ${attachments.attached} new, ${attachments.unchanged} unchanged`,
    ...(dryRun ? [] : [`Links: ${links.unresolved} lead nowhere, ${links.ambiguous} are ambiguous`]),
    ...(oddities > 0 ? [`${oddities} need a look:`, ...shown] : []),
    ...(oddities > shown.length ? [`  … and ${oddities - shown.length} more; --json shows them`] : []),
  ].join('\n');
}

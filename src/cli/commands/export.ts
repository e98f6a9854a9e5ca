/** Writes the pages out as files. */
import { resolve } from 'node:path';
import { defineCommand, flagOf, given, textOf } from '../command.ts';
import { progressBar } from '../progress-bar.ts';

export const exportVault = defineCommand({
  path: ['export'],
  summary: 'Write all pages and attachments into a folder; again writes what changed',
  args: [{ name: 'folder', summary: 'An empty folder, a new one, or a former export' }],
  options: [
    { name: 'under', value: 'page', summary: 'Only what lies below this page' },
    { name: 'provenance', summary: 'Write where each page comes from into its frontmatter' },
    { name: 'force', summary: 'Also write over files that no export wrote' },
    { name: 'workspace', value: 'name', summary: 'Of this one' },
  ],
  examples: ['export ~/vault-copy', 'export ~/archive --under archive'],
  async run({ withHome, output }, input) {
    const { exportFolder } = await import('../../app/export-folder.ts');
    const report = await withHome((home) =>
      exportFolder((tool, wish) => home.call(tool, given(wish), textOf(input, 'workspace')), {
        folder: resolve(textOf(input, 'folder') ?? ''),
        under: textOf(input, 'under'),
        force: flagOf(input, 'force'),
        provenance: flagOf(input, 'provenance'),
        onProgress: (files, of) => output.progress(progressBar(files, of, 'files')),
      }),
    );
    output.progress('');
    output.data(report, () =>
      [
        `${report.written} written, ${report.unchanged} unchanged, ${report.removed} removed`,
        ...report.odd.map(({ path, problem }) => `  ${path}: ${problem}; it was left alone`),
      ].join('\n'),
    );
  },
});

/** Keeps a folder of Markdown and the workspace equal, both ways. */
import { resolve } from 'node:path';
import { followWorkspace } from '../../app/home-client.ts';
import { DIALECT_NAMES, isDialect } from '../../app/import-folder.ts';
import { waitForStop } from '../../app/signals.ts';
import type { SyncMeans, SyncWish } from '../../app/sync/sync-folder.ts';
import { systemClock } from '../../kernel/clock.ts';
import { invalidInput } from '../../kernel/errors.ts';
import { defineCommand, flagOf, given, textOf } from '../command.ts';
import { describePlan, describeSync } from '../describe-sync.ts';
import { progressBar } from '../progress-bar.ts';

export const sync = defineCommand({
  path: ['sync'],
  summary: 'Keep a folder of Markdown and the workspace equal, both ways, until stopped',
  args: [{ name: 'folder', summary: 'An Obsidian vault, or any other folder of notes', choices: 'path' }],
  options: [
    { name: 'once', summary: 'End when both are equal' },
    { name: 'dry-run', summary: 'Only say what would happen' },
    { name: 'allow-empty', summary: 'That the folder lost all of its files is meant so' },
    { name: 'candidates', summary: 'Also write pages that nobody accepted yet' },
    { name: 'dialect', value: 'name', summary: `How links are written: ${DIALECT_NAMES.join(', ')}` },
    { name: 'workspace', value: 'name', summary: 'With this one' },
  ],
  examples: ['sync ~/vault', 'sync ~/vault --once', 'sync ~/vault --dry-run --json'],
  async run({ withHome, output, home }, input) {
    const dialect = textOf(input, 'dialect') ?? 'obsidian';
    if (!isDialect(dialect)) throw invalidInput('dialect', `must be one of ${DIALECT_NAMES.join(', ')}`);
    const workspace = textOf(input, 'workspace');
    const wish: SyncWish = {
      folder: resolve(textOf(input, 'folder') ?? ''),
      home,
      dialect,
      candidates: flagOf(input, 'candidates'),
      allowEmpty: flagOf(input, 'allow-empty'),
      clock: systemClock,
      onProgress: (done, total) => output.progress(progressBar(done, total, 'files')),
    };
    const means: SyncMeans = {
      withTools: (work) =>
        withHome((client) => work((tool, args) => client.call(tool, given(args), workspace))),
      followWorkspace: (onChange, onEnd) => followWorkspace(home, workspace, onChange, onEnd),
    };
    if (flagOf(input, 'dry-run')) {
      const { planSync } = await import('../../app/sync/plan-sync.ts');
      const plan = await planSync(means, wish);
      output.data(plan, () => describePlan(plan));
      return;
    }
    const { syncOnce, syncUntil } = await import('../../app/sync/sync-folder.ts');
    if (flagOf(input, 'once')) {
      const report = await syncOnce(means, wish);
      output.progress('');
      output.data(report, () => describeSync(report));
      return;
    }
    const stopping = new AbortController();
    void waitForStop().then(() => stopping.abort());
    await syncUntil(means, wish, stopping.signal, {
      begun: () => output.note(`Keeping ${wish.folder} and the workspace equal; Ctrl-C ends it`),
      tell(report) {
        output.progress('');
        output.data(report, () => describeSync(report));
      },
      troubled: (error) => output.note(`${error.message}; trying again`),
    });
  },
});

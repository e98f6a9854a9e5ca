/** Writes the audit log out. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { SluiceError } from '../../../kernel/errors.ts';
import { defineCommand, textOf } from '../../command.ts';

export const exportAudit = defineCommand({
  path: ['audit', 'export'],
  summary: 'Write records and signed heads as lines of JSON; a head kept elsewhere proves a rollback',
  options: [
    { name: 'out', value: 'file', summary: 'Into this file instead of standard output', choices: 'path' },
  ],
  examples: ['audit export --out audit.ndjson'],
  async run({ withHome, output }, input) {
    const { exportLines } = await import('../../../app/audit-export.ts');
    const out = textOf(input, 'out');
    const lines = await withHome(async (home) => {
      const all = exportLines((wish) => home.call('audit.export', wish));
      return out === undefined ? writeOut(all, (line) => output.raw(line)) : writeFile(resolve(out), all);
    });
    if (out === undefined) output.talk(`${lines} lines`);
    else output.data({ path: resolve(out), lines }, () => `${lines} lines in ${resolve(out)}`);
  },
});

async function writeOut(lines: AsyncIterable<string>, write: (text: string) => void): Promise<number> {
  let count = 0;
  for await (const line of lines) {
    write(`${line}\n`);
    count += 1;
  }
  return count;
}

/** Whole or not at all, like a backup. */
async function writeFile(path: string, lines: AsyncIterable<string>): Promise<number> {
  const draft = `${path}.partial`;
  const file = openForWriting(draft);
  try {
    const count = await writeOut(lines, (text) => writeSync(file, text));
    fsyncSync(file);
    renameSync(draft, path);
    return count;
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

function openForWriting(path: string): number {
  try {
    return openSync(path, 'w', 0o600);
  } catch (error) {
    throw new SluiceError(
      'invalid_input',
      `"--out" cannot be written: "${path}" (${(error as NodeJS.ErrnoException).code})`,
      { field: 'out' },
      error,
    );
  }
}

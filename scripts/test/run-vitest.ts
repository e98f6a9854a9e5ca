/** Runs vitest over the chosen projects in a process of its own and brings back the count. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runNode } from './run-node.ts';
import { emptyTally, type Tally } from './tally.ts';
import { tallyFile } from './tally-reporter.ts';

export interface VitestRun {
  readonly args: readonly string[];
  readonly env?: Record<string, string>;
  readonly show: boolean;
}

export async function runVitest({ args, env, show }: VitestRun): Promise<Tally> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-tally-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove); // also when a signal ends us
  const path = join(folder, 'tally.json');
  try {
    const command = ['node_modules/vitest/vitest.mjs', 'run', '--passWithNoTests', ...args];
    const { code, output } = await runNode(command, { env: { ...env, [tallyFile]: path }, show });
    const tally = readTally(path);
    if (!show && tally?.failed !== 0) console.log(output);
    if (tally && (code === 0 || !isClean(tally))) return tally;
    console.log(`✗ vitest ended with code ${code}${tally ? '' : ' before it had counted its tests'}`);
    return { ...(tally ?? emptyTally()), failed: (tally?.failed ?? 0) + 1 };
  } finally {
    process.off('exit', remove);
    remove();
  }
}

const isClean = ({ failed, unexplained }: Tally): boolean => failed === 0 && unexplained.length === 0;

function readTally(path: string): Tally | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

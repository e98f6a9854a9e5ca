/** Runs every example as a test: it passes when it ends with code 0, which it does when its assertions hold. */
import { existsSync, readdirSync } from 'node:fs';
import { runNode } from './run-node.ts';
import { emptyTally, type Tally } from './tally.ts';

const timeoutMs = 120_000;

export async function runExamples(env: Record<string, string>, home = 'examples'): Promise<Tally> {
  const tally = emptyTally();
  const folders = existsSync(home) ? readdirSync(home).sort() : [];
  for (const path of folders
    .map((folder) => `${home}/${folder}/main.ts`)
    .filter((main) => existsSync(main))) {
    const { code, output } = await runNode([path], { env, timeoutMs });
    if (code === 0) tally.passed += 1;
    else tally.failed += 1;
    console.log(code === 0 ? `✓ ${path}` : `✗ ${path} ended with code ${code}\n${output}`);
  }
  return tally;
}

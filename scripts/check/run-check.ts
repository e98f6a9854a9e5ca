/** Runs the steps of the check side by side, shows what failed, and ends with one line that sums up. */
import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { type Step, steps } from './steps.ts';

interface Outcome {
  readonly step: Step;
  readonly failed: boolean;
  readonly output: string;
}

/** The names of the steps that failed. All run, whatever becomes of the others. */
export async function runCheck(all: readonly Step[] = steps): Promise<string[]> {
  const began = performance.now();
  const waiting = [...all];
  const outcomes: Outcome[] = [];
  const work = async (): Promise<void> => {
    for (let step = waiting.shift(); step; step = waiting.shift()) outcomes.push(await runStep(step));
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));

  const failed = outcomes.filter((outcome) => outcome.failed);
  for (const { step, output } of failed) console.log(`\n── ${step.name} ──\n${output.trimEnd()}`);
  const names = failed.map(({ step }) => step.name);
  const verdict = names.length > 0 ? `failed: ${names.join(', ')}` : `all ${all.length} steps passed`;
  console.log(`\ncheck ${verdict} (${seconds(began)})`);
  return names;
}

async function runStep(step: Step): Promise<Outcome> {
  const began = performance.now();
  const outcome = await new Promise<Outcome>((resolve) => {
    execFile(process.execPath, step.run, { maxBuffer: 64 << 20 }, (error, stdout, stderr) => {
      resolve({ step, failed: error !== null, output: `${stdout}${stderr}` || String(error ?? '') });
    });
  });
  console.log(`${outcome.failed ? '✗' : '✓'} ${step.name} ${seconds(began)}`);
  return outcome;
}

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`;

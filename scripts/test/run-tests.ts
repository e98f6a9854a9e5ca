/** `npm test`: one run from installing what tests need to the line that counts them. */
import { environmentOf, type Provided, providePostgres } from '../../test/support/postgres-broker.ts';
import { chooseSeed } from '../../test/support/seed.ts';
import { runCheck } from '../check/run-check.ts';
import { installPeers } from './install-peers.ts';
import { installTools } from './install-tools.ts';
import { readOptions } from './options.ts';
import { runExamples } from './run-examples.ts';
import { stopOnSignals } from './run-node.ts';
import { runVitest } from './run-vitest.ts';
import { addTallies, emptyTally, isGreen, renderTally, type Tally } from './tally.ts';

/** The exit code. */
export async function runTests(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if (typeof options === 'string') {
    console.error(options);
    return 2;
  }
  stopOnSignals();
  console.log(`Seed: SLUICE_TEST_SEED=${chooseSeed(options.soak)}${options.soak ? ', soaking' : ''}`);
  const stages: Stage[] = [];
  let postgres: Provided | undefined;
  const environment = (): Record<string, string> => ({
    ...(postgres ? environmentOf(postgres.found) : {}),
    ...(options.soak ? { SLUICE_SOAK: '1' } : {}),
  });

  if (options.needsPeers) {
    stages.push(async () => {
      installTools();
      return failures(installPeers() ? 0 : 1);
    });
  }
  if (options.everything) stages.push(async () => failures((await runCheck()).length));
  if (options.needsPeers) {
    stages.push(async () => {
      postgres = await providePostgres();
      return emptyTally();
    });
  }
  const projects = options.suites
    .filter((suite) => suite !== 'examples')
    .map((suite) => `--project=${suite}`);
  if (projects.length > 0) stages.push(() => runVitest({ args: projects, env: environment(), show: true }));
  if (options.suites.includes('examples')) stages.push(() => runExamples(environment()));
  stages.push(async () => {
    await postgres?.stop();
    return emptyTally();
  });

  const tally = await runStages(stages);
  console.log(renderTally(tally));
  return isGreen(tally) ? 0 : 1;
}

type Stage = () => Promise<Tally>;

/** One after the other, all of them: a stage that breaks is a failure, and the run still ends with its count. */
async function runStages(stages: readonly Stage[]): Promise<Tally> {
  const tallies: Tally[] = [];
  for (const stage of stages) {
    try {
      tallies.push(await stage());
    } catch (error) {
      console.log(`✗ ${error instanceof Error ? error.stack : error}`);
      tallies.push(failures(1));
    }
  }
  return addTallies(tallies);
}

const failures = (count: number): Tally => ({ ...emptyTally(), failed: count });

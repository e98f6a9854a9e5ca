import { existsSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { runCheck } from '../../scripts/check/run-check.ts';
import { readOptions } from '../../scripts/test/options.ts';
import { runExamples } from '../../scripts/test/run-examples.ts';
import { runVitest } from '../../scripts/test/run-vitest.ts';
import { addTallies, emptyTally, isGreen, renderTally, type Tally } from '../../scripts/test/tally.ts';
import { plantTree } from '../support/planted-tree.ts';
import { testSeed } from '../support/seed.ts';

const printed: string[] = [];
beforeEach(() => {
  printed.length = 0;
  vi.spyOn(console, 'log').mockImplementation((line) => void printed.push(String(line)));
});

/** Counts a run over these tests, with our reporter and our way to skip. */
function tallyOf(...files: string[]): Promise<Tally> {
  const named = files.map((text, index) => [`${index}.test.ts`, `${imports}\n${text}`]);
  const root = plantTree({ 'vitest.config.ts': config, ...Object.fromEntries(named) });
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
  return runVitest({ args: ['--root', root], show: false });
}
const imports = `import { beforeAll, describe, expect, it } from 'vitest';
import { skipUnless } from '${resolve('test/support/skip.ts')}';`;
const config = `import { reporters } from '${resolve('scripts/test/tally-reporter.ts')}';
export default { cacheDir: '.cache', test: { reporters: reporters(), allowOnly: true, maxWorkers: 1, testTimeout: 60_000 } };`;

const summaryOf = (tally: Tally): string | undefined => renderTally(tally).split('\n').at(-1);

it('[ARCH-20] counts a skipped test under its reason, and one without a reason as failed', async () => {
  const tally = await tallyOf(
    `skipUnless(() => 1 > 2, () => 'no luck'); it('a', () => {}); describe('x', () => { it('b', () => {}); });`,
    `skipUnless(true, 'not shown'); it('holds', () => {});`,
    `it('plain', () => {}); it.skip('skip', () => {}); it.todo('todo');`,
    `it('left out', () => {}); it.only('singled out', () => {});`,
  );
  const unexplained = ['2.test.ts > skip', '2.test.ts > todo', '3.test.ts > left out'];
  expect({ ...tally, unexplained: tally.unexplained.sort() }, printed.join('\n')).toEqual({
    passed: 3,
    failed: 0,
    skipped: { 'no luck': 2 },
    unexplained,
  });
  expect(isGreen(tally)).toBe(false);
  const summary = renderTally(tally);
  for (const line of ['2 × no luck', ...unexplained]) expect(summary).toContain(line);
  expect(summaryOf(tally)).toBe('3 passed, 3 failed, 2 skipped');
});

describe('[ARCH-21] a run', () => {
  it('counts what fails outside of tests too', async () => {
    const tally = await tallyOf(
      `it('fails', () => { expect(1).toBe(2); });`,
      `throw new Error('the file does not load');`,
      `beforeAll(() => { throw new Error('the hook of a file'); }); describe('x', () => { it('a', () => {}); });`,
      `describe('s', () => { beforeAll(() => { throw new Error('the hook of a suite'); }); it('b', () => {}); });`,
      `it('leaves a stray rejection', async () => { Promise.reject(new Error('stray')); await 1; });`,
      `it('is fine', () => {});`,
    );
    expect(tally).toEqual({
      passed: 2,
      failed: 5,
      skipped: { 'The suite of the test failed to set up': 2 },
      unexplained: [],
    });
    expect(isGreen(tally)).toBe(false);
  });

  it('that breaks before it has counted is a failure', async () => {
    const tally = await runVitest({ args: ['--config', 'no-such-file.ts'], show: false });
    expect(tally).toEqual({ ...emptyTally(), failed: 1 });
  });

  it('that ran nothing is not green', () => {
    expect(isGreen(emptyTally())).toBe(false);
    expect(isGreen({ ...emptyTally(), skipped: { x: 1 } })).toBe(false);
    expect(isGreen({ ...emptyTally(), passed: 1 })).toBe(true);
  });

  it('counts the examples by how they end', async () => {
    const root = plantTree({
      'good/main.ts': 'const code: number = 0; process.exit(code);',
      'bad/main.ts': `throw new Error('an assertion');`,
      'notes/readme.md': '',
    });
    expect(await runExamples({}, root)).toEqual({ ...emptyTally(), passed: 1, failed: 1 });
  });

  it('adds up its parts, and ends with the count', () => {
    const one = { passed: 1, failed: 2, skipped: { x: 3, y: 1 }, unexplained: [] };
    expect(summaryOf(addTallies([one, { ...one, skipped: { x: 1 } }]))).toBe('2 passed, 4 failed, 5 skipped');
  });

  it('knows the failed steps of the check, and runs the others all the same', async () => {
    const ran = plantTree({});
    const failed = await runCheck([
      { name: 'bad', run: ['-e', 'process.exit(1)'] },
      { name: 'gone', run: ['no-such-script.mjs'] },
      { name: 'good', run: ['-e', `require('fs').writeFileSync('${ran}/x', '')`] },
    ]);
    expect(failed.sort()).toEqual(['bad', 'gone']);
    expect(existsSync(`${ran}/x`)).toBe(true);
  });
});

describe('npm test', () => {
  it('gives every process the seed it printed, and accepts no other kind of value', () => {
    expect(testSeed()).toBe(Number(process.env.SLUICE_TEST_SEED));
    vi.stubEnv('SLUICE_TEST_SEED', 'x');
    expect(testSeed).toThrow('"x", an integer is wanted');
    vi.unstubAllEnvs();
  });

  it('runs everything unless suites are named', () => {
    expect(readOptions([])).toMatchObject({ everything: true, soak: false, needsPeers: true });
    expect(readOptions(['--soak'])).toMatchObject({ everything: true, soak: true });
    expect(readOptions(['unit', '--soak'])).toEqual({
      suites: ['unit'],
      everything: false,
      soak: true,
      needsPeers: false,
    });
    expect(readOptions(['unit', 'hostile'])).toMatchObject({ suites: ['unit', 'hostile'], needsPeers: true });
    expect(readOptions(['units'])).toContain('"units" is no suite');
  });
});

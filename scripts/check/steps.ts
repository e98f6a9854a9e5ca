/** What `npm run check` consists of, slowest first: steps start in this order, as many at once as there are cores. */

export interface Step {
  readonly name: string;
  /** Arguments of Node.js: a script and what it is given. */
  readonly run: readonly string[];
}

export const steps: readonly Step[] = [
  { name: 'unused code', run: ['node_modules/knip/bin/knip.js', '--no-progress', '--no-config-hints'] },
  { name: 'types', run: ['node_modules/typescript/bin/tsc', '-p', '.'] },
  { name: 'format and lint', run: ['node_modules/@biomejs/biome/bin/biome', 'check', '.'] },
  { name: 'layers', run: ['scripts/architecture/check-layers.ts'] },
  { name: 'requirements', run: ['scripts/requirements/check.ts'] },
  { name: 'docs current', run: ['scripts/docs.ts', '--check'] },
  { name: 'docs paths', run: ['scripts/docs/stale-paths.ts'] },
  { name: 'kernel', run: ['scripts/kernel.mjs', '--check'] },
  { name: 'lock', run: ['scripts/lock.mjs'] },
];

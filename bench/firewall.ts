/** What the output firewall costs by the size of an answer: ordinary text, and text made to be slow; ten times as much should take ten times as long. */
import { inspect } from '../src/domain/providers/firewall/inspect.ts';
import { DEFAULT_RULES } from '../src/domain/providers/firewall/rules.ts';
import { fixed, median, printTable } from './measure/table.ts';

const SIZES = [1_024, 10_240, 102_400, 1_048_576];
const ROUNDS = 3;
/** Each measurement is long enough for the clock. */
const LEAST_MS = 20;
const TOO_SLOW_MS = 1_000;

const profile = { trust: 'USER_ADDED_REVIEWED' } as const;
const use = { rules: DEFAULT_RULES, allowedHosts: [] };

const TEXTS: Readonly<Record<string, string>> = {
  'ordinary text':
    'The quarterly report lists 214 open tickets, of which 38 concern the importer. See section 4 for details. ',
  'source code':
    'export const total = (rows) => rows.reduce((sum, { price, count }) => sum + price * count, 0);\n',
  'almost an injection': 'ignore all previous ignore all the previous ignore every previous ',
  'almost a secret': 'api_key = sk- api_key: ghp_ token=eyJ secret="-----BEGIN ',
  'brackets of links': '![[[[](((([a](',
  'letters of base64': 'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9wcXJzdHV2d3h5eg',
  'invisible characters': 'a\u200bb\u{e0041}c\u202ed\u001b[31m',
  'one long word': 'a',
  'digits of cards': '4111 1111 1111 111',
};

export async function firewall(): Promise<void> {
  const rows = Object.entries(TEXTS).map(([name, piece]) => {
    const times: number[] = [];
    for (const size of SIZES) {
      // One that has become this slow is not waited for at ten times its size.
      if ((times.at(-1) ?? 0) > TOO_SLOW_MS) break;
      times.push(timeOf(piece.repeat(Math.ceil(size / piece.length)).slice(0, size)));
    }
    const growth = times.slice(1).map((time, i) => `${fixed(time / (times[i] ?? 1))}×`);
    const cells = SIZES.map((_, i) => (times[i] === undefined ? 'too slow' : fixed(times[i], 3)));
    return [name, ...cells, growth.join(' ')];
  });
  printTable(['ms', '1 KB', '10 KB', '100 KB', '1 MB', 'growth'], rows);
  console.log(`median of ${ROUNDS} rounds each; linear is 10× 10× 10.2×`);
}

function timeOf(text: string): number {
  const result = { content: [{ type: 'text' as const, text }], structured: undefined, isError: false };
  const run = (): void => void inspect(use, profile, result);
  let repeats = 1;
  for (let took = 0; took < LEAST_MS; ) {
    took = elapsed(run, repeats);
    if (took < LEAST_MS) repeats *= 2;
  }
  return median(Array.from({ length: ROUNDS }, () => elapsed(run, repeats) / repeats));
}

function elapsed(run: () => void, repeats: number): number {
  const from = performance.now();
  for (let i = 0; i < repeats; i += 1) run();
  return performance.now() - from;
}

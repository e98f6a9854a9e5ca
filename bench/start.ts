/** How long until it listens and what it needs at rest, against a Node.js process that only listens. */
import { fileURLToPath } from 'node:url';
import { residentBytes, startChild } from './measure/child.ts';
import { newHome, startSluice } from './measure/sluice.ts';
import { fixed, median, printTable } from './measure/table.ts';

const TIMES = 5;
const REST_MS = 1_000;

export async function start(): Promise<void> {
  const { home, remove } = newHome();
  const raw = { ms: [] as number[], mb: [] as number[] };
  const ours = { ms: [] as number[], mb: [] as number[] };
  // The first start makes the home and fills the compile cache; it is not what people wait for every day.
  await (await startSluice(home)).stop();
  for (let time = 0; time < TIMES; time += 1) {
    await measure(raw, () =>
      startChild(process.execPath, [fileURLToPath(new URL('./measure/raw-server.ts', import.meta.url))]),
    );
    await measure(ours, () =>
      startChild(fileURLToPath(new URL('../bin/sluice', import.meta.url)), ['serve', '--json'], {
        SLUICE_HOME: home,
        SLUICE_PORT: String(30_000 + time),
      }),
    );
  }
  remove();
  const row = (name: string, of: typeof raw): string[] => [
    name,
    fixed(median(of.ms), 0),
    `${fixed(median(of.ms) / median(raw.ms))}×`,
    fixed(median(of.mb), 0),
    `${fixed(median(of.mb) / median(raw.mb))}×`,
  ];
  printTable(
    ['', 'ready ms', 'vs raw', 'MB at rest', 'vs raw'],
    [row('raw node:http', raw), row('sluice serve', ours)],
  );
  console.log(`median of ${TIMES} starts in turn; goals: ready below 700 ms, below 150 MB at rest`);
}

async function measure(
  into: { ms: number[]; mb: number[] },
  open: () => ReturnType<typeof startChild>,
): Promise<void> {
  const begun = performance.now();
  const child = await open();
  into.ms.push(performance.now() - begun);
  await new Promise((resolve) => setTimeout(resolve, REST_MS));
  into.mb.push(residentBytes(child.pid) / 1024 / 1024);
  await child.stop();
}

/** What a call costs with everything on — gates, audit durable, both schemas — against the floor and the SDK's server. */
import { fileURLToPath } from 'node:url';
import { createSluice } from '../src/index.ts';
import { cpuMicros, startChild } from './measure/child.ts';
import { applyLoad, type Shot } from './measure/load.ts';
import { callShot, newHome, startSluice } from './measure/sluice.ts';
import { fixed, median, printTable } from './measure/table.ts';

/** A few clients, and a team of them: records that are written together share the cost of being durable. */
const CONNECTIONS = [16, 64];
/** By calls, not by time: a slow contestant would otherwise be measured before its code is compiled. */
const WARM_CALLS = 20_000;
const WARM_AT_MOST_MS = 20_000;
const ROUND_MS = 1_500;
const ROUNDS = 5;

interface Contestant {
  readonly name: string;
  readonly pid: number;
  readonly port: number;
  readonly shot: Shot;
}

export async function call(): Promise<void> {
  const { home, remove } = newHome();
  const text = 'x'.repeat(64);
  const prepared = await createSluice({ home });
  await prepared.call('create_page', { title: 'Alpha', content: `# Alpha\n\n${text}\n` });
  await prepared.close();
  const child = (file: string) =>
    startChild(process.execPath, [fileURLToPath(new URL(`./measure/${file}`, import.meta.url))]);
  const [raw, sdk, sluice] = [
    await child('raw-server.ts'),
    await child('sdk-server.ts'),
    await startSluice(home),
  ];
  const echo = callShot('echo', { text }, 'bench');
  const contestants: Contestant[] = [
    { name: 'raw node:http (floor)', pid: raw.pid, port: Number(raw.line), shot: echo },
    { name: 'SDK server, one tool', pid: sdk.pid, port: Number(sdk.line), shot: echo },
    {
      name: 'Sluice get_my_scopes',
      pid: sluice.pid,
      port: sluice.port,
      shot: callShot('get_my_scopes', {}, sluice.token),
    },
    {
      name: 'Sluice read_page',
      pid: sluice.pid,
      port: sluice.port,
      shot: callShot('read_page', { page: 'alpha' }, sluice.token),
    },
    {
      name: 'Sluice search',
      pid: sluice.pid,
      port: sluice.port,
      shot: callShot('search', { query: 'alpha' }, sluice.token),
    },
  ];
  try {
    for (const connections of CONNECTIONS) await report(contestants, connections);
  } finally {
    await Promise.all([raw.stop(), sdk.stop(), sluice.stop()]);
    remove();
  }
}

async function warm({ port, shot }: Contestant, connections: number): Promise<void> {
  const until = performance.now() + WARM_AT_MOST_MS;
  for (let calls = 0; calls < WARM_CALLS && performance.now() < until; ) {
    const { requests } = await applyLoad(port, shot, connections, 500);
    calls += requests;
  }
}

async function report(contestants: readonly Contestant[], connections: number): Promise<void> {
  const measured = contestants.map(() => ({ cpu: [] as number[], rate: [] as number[] }));
  for (const contestant of contestants) await warm(contestant, connections);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [i, { pid, port, shot }] of contestants.entries()) {
      const before = cpuMicros(pid);
      const { requests, seconds } = await applyLoad(port, shot, connections, ROUND_MS);
      measured[i]?.cpu.push((cpuMicros(pid) - before) / requests);
      measured[i]?.rate.push(requests / seconds);
    }
  }
  const floor = median(measured[0]?.cpu ?? []);
  const best = median(measured[0]?.rate ?? []);
  printTable(
    ['', 'CPU µs/call', 'vs floor', 'calls/s', 'of floor'],
    contestants.map(({ name }, i) => {
      const [cpu, rate] = [median(measured[i]?.cpu ?? []), median(measured[i]?.rate ?? [])];
      return [
        name,
        fixed(cpu),
        `${fixed(cpu / floor)}×`,
        fixed(rate, 0),
        `${fixed((100 * rate) / best, 0)} %`,
      ];
    }),
  );
  console.log(`median of ${ROUNDS} interleaved rounds of ${ROUND_MS / 1000} s, ${connections} connections`);
}

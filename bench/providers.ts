/** What a call to an upstream server costs through a gateway: a bare pass-through, Sluice with everything on, and others. */
import { installPeers } from '../scripts/test/install-peers.ts';
import {
  fiberplane,
  floor,
  type Gateway,
  mcpHub,
  mcpProxy,
  sluice,
  supergateway,
  usedBy,
} from './measure/gateways.ts';
import { applyLoad } from './measure/load.ts';
import { fixed, median, printTable } from './measure/table.ts';

const CONNECTIONS = 16;
const WARM_CALLS = 5_000;
const WARM_AT_MOST_MS = 8_000;
const ROUND_MS = 1_000;
const ROUNDS = 5;

export async function providers(): Promise<void> {
  if (!installPeers()) console.log('the other gateways could not be installed');
  const gateways: Gateway[] = [];
  for (const start of [floor, sluice, mcpProxy, supergateway, mcpHub, fiberplane]) {
    try {
      gateways.push(await start());
    } catch (error) {
      console.log(`not measured: ${start.name}, ${error instanceof Error ? error.message : error}`);
    }
  }
  try {
    await report(gateways);
  } finally {
    await Promise.all(gateways.map((gateway) => gateway.stop()));
  }
}

interface Measured {
  readonly cpu: number[];
  readonly rate: number[];
  readonly alone: number[];
}

async function report(gateways: readonly Gateway[]): Promise<void> {
  const measured = gateways.map((): Measured => ({ cpu: [], rate: [], alone: [] }));
  for (const gateway of gateways) await warm(gateway);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [i, gateway] of gateways.entries()) await measure(gateway, measured[i] as Measured);
  const [base] = measured;
  const [cpu, alone] = [median(base?.cpu ?? []), median(base?.alone ?? [])];
  printTable(
    ['', 'CPU ms/call', 'vs floor', 'p50 ms alone', 'added', 'calls/s', 'MB'],
    gateways.map((gateway, i) => {
      const { cpu: used = [], rate = [], alone: waits = [] } = measured[i] ?? {};
      return [
        gateway.name,
        fixed(median(used), 3),
        `${fixed(median(used) / cpu)}×`,
        fixed(median(waits), 3),
        fixed(median(waits) - alone, 3),
        fixed(median(rate), 0),
        fixed(usedBy(gateway).bytes / 1024 / 1024, 0),
      ];
    }),
  );
  console.log(
    `median of ${ROUNDS} interleaved rounds of ${ROUND_MS / 1000} s; ${CONNECTIONS} connections, and one alone for p50; CPU without the upstream program`,
  );
}

async function measure(gateway: Gateway, into: Measured): Promise<void> {
  const { port, shot } = gateway;
  const before = usedBy(gateway).cpuMicros;
  const { requests, seconds } = await applyLoad(port, shot, CONNECTIONS, ROUND_MS);
  into.cpu.push((usedBy(gateway).cpuMicros - before) / requests / 1000);
  into.rate.push(requests / seconds);
  into.alone.push((await applyLoad(port, shot, 1, ROUND_MS / 2)).p50Ms);
}

async function warm({ port, shot }: Gateway): Promise<void> {
  const until = performance.now() + WARM_AT_MOST_MS;
  for (let calls = 0; calls < WARM_CALLS && performance.now() < until; )
    calls += (await applyLoad(port, shot, CONNECTIONS, 500)).requests;
}

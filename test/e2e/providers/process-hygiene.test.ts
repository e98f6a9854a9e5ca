/** What runs of providers, for how long, and that none of it is left: few times here, a thousand when soaking. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSluice, type Sluice } from '../../../src/index.ts';
import { addClient, asOwner } from '../../support/owner.ts';
import { type RunningServer, startServer } from '../../support/process.ts';
import { times } from '../../support/random.ts';
import { isRunning } from '../../support/rogue-home.ts';
import { scriptedUpstream } from '../../support/scripted-upstream.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/timing.ts';
import { legacyHttp } from '../../support/wires.ts';

interface Running {
  readonly processes: readonly number[];
  readonly connections: number;
}

const review = {
  admit_all: true,
  effects: { echo: 'READ_ONLY' },
  trust: 'CONTROLLED_LOCAL',
  reason: 'a test',
};

describe('a provider that we run', () => {
  const home = temporaryFolder();
  let server: RunningServer;
  let token: string;

  beforeAll(async () => {
    server = await startServer(home);
    token = await addClient(home, 'caller');
    const { target } = await scriptedUpstream(home, 'stdio');
    for (const [id, limits] of [
      ['up', {}],
      ['brief', { idle_ms: 1_000 }],
    ] as const) {
      await asOwner(home, 'provider.register', { id, ...target, limits });
      await asOwner(home, 'provider.discover', { id });
      await asOwner(home, 'provider.review', { id, ...review });
    }
  });
  afterAll(() => server?.stop());
  const running = (id = 'up'): Promise<Running> => asOwner<Running>(home, 'provider.inspect', { id });
  const echo = async (text: string, id = 'up') => {
    const session = await legacyHttp(server.port, token);
    const { result } = await session.ask('tools/call', { name: `${id}.echo`, arguments: { text } });
    return result?.content;
  };

  it('[PROC-02] is run once for everybody, however many sessions are opened and left behind', async () => {
    const before = await running();
    for (let i = 0; i < times(4, 10); i += 1)
      expect(await echo(`${i}`)).toEqual([{ type: 'text', text: `{"text":"${i}"}` }]);
    const { processes, connections } = await running();
    expect([processes.length, connections - before.connections]).toEqual([1, 1]);
  });

  it('[PROC-03] is ended when nobody has called it for a while, and run again for the next call', async () => {
    await echo('x', 'brief');
    const [pid = 0] = (await running('brief')).processes;
    await until(async () => (await running('brief')).processes.length === 0);
    expect(isRunning(pid)).toBe(false);
    expect(await echo('y', 'brief')).toEqual([{ type: 'text', text: '{"text":"y"}' }]);
  });

  it('[PROC-04] is ended with Sluice', async () => {
    await echo('x');
    const { processes } = await running();
    await server.stop();
    expect(processes.filter(isRunning)).toEqual([]);
  });
});

describe('a provider that ends again and again', () => {
  const home = temporaryFolder();
  let sluice: Sluice;
  afterAll(() => sluice?.close());

  it('[PROC-05] leaves no process and no memory behind', { timeout: 1_800_000 }, async () => {
    sluice = await createSluice({ home });
    const { target } = await scriptedUpstream(home, 'stdio');
    await sluice.call('provider.register', { id: 'up', ...target });
    await sluice.call('provider.discover', { id: 'up' });
    await sluice.call('provider.review', { id: 'up', ...review });
    const seen = new Set<number>();
    const once = async (): Promise<void> => {
      await sluice.call('up.echo', { text: 'x' });
      const { processes } = (await sluice.call('provider.inspect', { id: 'up' })) as unknown as Running;
      for (const pid of processes) {
        seen.add(pid);
        process.kill(pid, 'SIGKILL');
      }
    };
    const restarts = times(20, 1_000);
    for (let i = 0; i < restarts / 2; i += 1) await once();
    const halfway = heapInUse();
    for (let i = restarts / 2; i < restarts; i += 1) await once();
    expect(heapInUse() - halfway).toBeLessThan(4 * 1024 * 1024);
    const { connections } = (await sluice.call('provider.inspect', { id: 'up' })) as unknown as Running;
    expect([seen.size, connections]).toEqual([restarts, restarts]);
    await until(() => ![...seen].some(isRunning));
  });
});

/** After everything that nobody holds has been let go. */
function heapInUse(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

/** A running server with a provider `rogue` that misbehaves, a harmless one `calm`, and clients of both. */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { addClient, asOwner } from './owner.ts';
import { type RunningServer, startServer } from './process.ts';
import { type RogueUpstream, rogueUpstream } from './rogue-upstream.ts';
import { type ScriptedUpstream, scriptedUpstream, type Transport } from './scripted-upstream.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { modernHttp, refusalOf } from './wires.ts';

export interface RogueStatus {
  readonly state: string;
  readonly reason: string;
  readonly processes: readonly number[];
  readonly connections: number;
  readonly failures: number;
  readonly stale_since: string | null;
}

export interface RogueHome {
  readonly home: string;
  readonly folder: string;
  server(): RunningServer;
  token(): string;
  rogue(): RogueUpstream;
  /** The text of the answer, or the code of its refusal. */
  call(tool: string, input?: Record<string, unknown>): Promise<string>;
  /** What a refused call says. */
  refusal(tool: string, input?: Record<string, unknown>): Promise<Record<string, unknown>>;
  inspect(): Promise<RogueStatus>;
  asOwner<T = Record<string, unknown>>(tool: string, input?: Record<string, unknown>): Promise<T>;
  /** Processes that the rogue said it started. */
  started(): readonly number[];
}

export function rogueHome(
  transport: Transport,
  further: Readonly<Record<string, unknown>> = {},
  env: Readonly<Record<string, string>> = {},
): RogueHome {
  const home = temporaryFolder();
  const folder = join(home, 'rogue');
  let server: RunningServer;
  let calm: ScriptedUpstream;
  let rogue: RogueUpstream;
  let token: string;
  const ask = (tool: string, input: Record<string, unknown>) =>
    modernHttp(server.port, token).ask('tools/call', { name: tool, arguments: input });
  const self: RogueHome = {
    home,
    folder,
    server: () => server,
    token: () => token,
    rogue: () => rogue,
    async call(tool, input = {}) {
      const message = await ask(tool, input);
      const { code } = refusalOf(message);
      const [first] = (message.result?.content ?? []) as { readonly text?: string }[];
      return code === undefined ? (first?.text ?? JSON.stringify(message)) : String(code);
    },
    refusal: async (tool, input = {}) => refusalOf(await ask(tool, input)),
    inspect: () => asOwner<RogueStatus>(home, 'provider.inspect', { id: 'rogue' }),
    asOwner: (tool, input) => asOwner(home, tool, input),
    started: () =>
      rogue
        .notes()
        .filter((line) => line.startsWith('started '))
        .flatMap((line) => line.split(' ').slice(1).map(Number)),
  };
  const add = async (id: string, target: object): Promise<void> => {
    await asOwner(home, 'provider.register', { id, ...target });
    const { tools } = await asOwner<{ tools: { name: string }[] }>(home, 'provider.discover', { id });
    // By a person's word, so that what was cut off is sent again once.
    const effects = Object.fromEntries(tools.map(({ name }) => [name, 'READ_ONLY']));
    const review = { admit_all: true, effects, trust: 'CONTROLLED_LOCAL', reason: 'a test' };
    await asOwner(home, 'provider.review', { id, ...review });
  };
  beforeAll(async () => {
    mkdirSync(folder);
    server = await startServer(home, { env });
    token = await addClient(home, 'caller');
    calm = await scriptedUpstream(home, transport);
    rogue = await rogueUpstream(folder, transport);
    await add('calm', calm.target);
    await add('rogue', { ...rogue.target, ...further });
  });
  afterAll(async () => {
    await server?.stop();
    await calm?.close();
    await rogue?.close();
  });
  return self;
}

/** Whether a process runs; one that has ended and waits for its parent does not. */
export function isRunning(pid: number): boolean {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return false;
  }
  return !['Z', 'X'].includes(stat.slice(stat.lastIndexOf(')') + 2)[0] ?? 'X');
}

/** Servers and gateways that others wrote, as providers of the real program: added, reviewed, called, restarted. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectHttp } from '../../support/mcp-clients.ts';
import { addClient } from '../../support/owner.ts';
import { type RunningServer, runSluice, sluiceJson, startServer } from '../../support/process.ts';
import { type ListeningUpstream, listen, REAL_UPSTREAMS } from '../../support/real-upstreams.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

interface Inspected {
  readonly state: string;
  readonly protocol: string;
  readonly processes: readonly number[];
  readonly tools: readonly { readonly name: string; readonly admitted: boolean; readonly pin: string }[];
}

const home = temporaryFolder();
const folder = temporaryFolder();
let server: RunningServer;
let token: string;

beforeAll(async () => {
  server = await startServer(home);
  token = await addClient(home, 'caller');
});
afterAll(() => server?.stop());

describe.each(REAL_UPSTREAMS)('$about', (upstream) => {
  const { id, revision, call } = upstream;
  let listening: ListeningUpstream | undefined;
  let client: Client;

  beforeAll(async () => {
    // One each: a client keeps a list for as long as it was told to.
    client = await connectHttp(server.url, token, 'modern');
    if (upstream.path !== undefined) listening = await listen(upstream, folder);
  });
  afterAll(async () => {
    await client?.close();
    await listening?.close();
  });

  const inspect = (): Promise<Inspected> => sluiceJson<Inspected>(home, 'provider', 'inspect', id);
  const says = async (): Promise<string> => {
    const { content } = await client.callTool({ name: `${id}.${call.tool}`, arguments: call.input });
    return JSON.stringify(content);
  };

  it('[REAL-01] is added, reviewed by its tools and called', async () => {
    const target = listening ? ['--http', listening.url] : ['--stdio', '--', ...upstream.command(folder, 0)];
    const added = await runSluice(home, ['provider', 'add', id, '--json', ...target]);
    expect(JSON.parse(added.stdout)).toMatchObject({ state: 'DISCOVERING', reason_code: 'discovered' });
    const review = ['--admit', call.tool, '--effect', `${call.tool}=READ_ONLY`, '--reason', 'a test'];
    await sluiceJson(home, 'provider', 'review', id, '--trust', 'CONTROLLED_LOCAL', ...review);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain(`${id}.${call.tool}`);
    expect(await says()).toContain(call.says);
    expect(await inspect()).toMatchObject({ state: 'READY', protocol: revision });
  });

  it('[REAL-02] is called again after it was started anew', async () => {
    if (listening) await listening.restart();
    else for (const pid of (await inspect()).processes) process.kill(pid, 'SIGKILL');
    expect(await says()).toContain(call.says);
    expect(await inspect()).toMatchObject({ state: 'READY' });
  });
});

/** Questions that a real server of the older protocol asks in the middle of a call, answered by real clients of both eras. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditHead, auditRecords } from '../../support/audit.ts';
import { askableClient, connectHttp, connectStdio, type Era } from '../../support/mcp-clients.ts';
import { addClient } from '../../support/owner.ts';
import { type RunningServer, runSluice, sluiceJson, startServer } from '../../support/process.ts';
import { type ListeningUpstream, listen, REAL_UPSTREAMS } from '../../support/real-upstreams.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const home = temporaryFolder();
const folder = temporaryFolder();
let server: RunningServer;
let token: string;
beforeAll(async () => {
  server = await startServer(home);
  token = await addClient(home, 'asked');
});
afterAll(() => server?.stop());

const EVERYTHING = REAL_UPSTREAMS.filter(({ id }) => id === 'everything' || id === 'everything_http');
const ASKING = ['trigger-elicitation-request', 'trigger-sampling-request', 'get-roots-list'];

const says = async (client: Client, name: string, input = {}): Promise<string> =>
  JSON.stringify(await client.callTool({ name, arguments: input }));

describe.each(EVERYTHING)('$about', (upstream) => {
  const { id } = upstream;
  let listening: ListeningUpstream | undefined;
  beforeAll(async () => {
    if (upstream.path !== undefined) listening = await listen(upstream, folder);
    const target = listening ? ['--http', listening.url] : ['--stdio', '--', ...upstream.command(folder, 0)];
    await runSluice(home, ['provider', 'add', id, '--relay', 'elicitation,sampling,roots', ...target]);
    const effects = ASKING.flatMap((name) => ['--effect', `${name}=READ_ONLY`]);
    const review = ['--admit', [...ASKING, 'echo'].join(), ...effects, '--reason', 'a test'];
    await sluiceJson(home, 'provider', 'review', id, '--trust', 'CONTROLLED_LOCAL', ...review);
  });
  afterAll(() => listening?.close());

  describe.each<Era>(['modern', 'legacy'])('[PRES-11] asks a %s client', (era) => {
    const connected: Client[] = [];
    const connect = async (over: 'http' | 'stdio'): Promise<Client> => {
      const asked = askableClient(era);
      const client =
        over === 'http'
          ? await connectHttp(server.url, token, era, asked)
          : await connectStdio(home, 'asked', era, [], asked);
      connected.push(client);
      return client;
    };
    afterAll(() => Promise.all(connected.map((client) => client.close())));

    it.each(['http', 'stdio'] as const)('over %s, and hears what it answered', async (over) => {
      const client = await connect(over);
      const person = await says(client, `${id}.trigger-elicitation-request`);
      expect(person).toContain('User provided the requested information');
      expect(person).toContain('- Name: Ada');
      // Nothing that the form has no field for.
      expect(person).not.toContain('green');
      const model = await says(client, `${id}.trigger-sampling-request`, { prompt: 'Which city?' });
      expect(model).toContain('Paris');
    });

    it('keeps the call open between two records of it', async () => {
      const head = await auditHead(home);
      await says(await connect('http'), `${id}.trigger-elicitation-request`);
      const records = await auditRecords(home, { tool_name: `${id}.trigger-elicitation-request` }, head);
      const ends = records.filter(({ phase }) => phase !== 'started');
      expect(ends.map(({ status }) => status)).toEqual(['suspended', 'success']);
      expect(ends[1]?.parent_call_id).toBe(ends[0]?.call_id);
    });
  });

  it('[PRES-11] tells it that a client without a person cannot be asked', async () => {
    const client = await connectHttp(server.url, token, 'modern');
    expect(await says(client, `${id}.echo`, { message: 'still here' })).toContain('still here');
    expect(await says(client, `${id}.trigger-elicitation-request`)).toContain('Method not found');
    await client.close();
  });
});

it('[PRES-11] over stdio the folders of the client are asked for as well', async () => {
  const client = await connectHttp(server.url, token, 'modern', askableClient('modern'));
  expect(await says(client, 'everything.get-roots-list')).toContain('file:///srv');
  await client.close();
});

it('[PRES-11] what it may ask for stays as it was until somebody says otherwise', async () => {
  const review = (...args: string[]) =>
    sluiceJson<{ relays: string[] }>(
      home,
      ...['provider', 'review', 'everything', '--admit', 'echo', '--reason', 'a test', ...args],
    );
  expect(await review()).toMatchObject({ relays: ['elicitation', 'sampling', 'roots'] });
  expect(await review('--relay', 'sampling')).toMatchObject({ relays: ['sampling'] });
  expect(await review('--relay', 'none')).toMatchObject({ relays: [] });
});

/** What changes is told to whoever asked for it and may see it, in both eras, over HTTP and stdio. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditRecords } from '../support/audit.ts';
import { type FixtureServer, startFixtureServer } from '../support/fixture-server.ts';
import { connectHttp, connectStdio, type Era } from '../support/mcp-clients.ts';
import { addClient, asOwner } from '../support/owner.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const home = temporaryFolder();
let server: FixtureServer;
let token: string;
beforeAll(async () => {
  server = await startFixtureServer(home);
  token = await addClient(home, 'listener');
  for (const title of ['Watched', 'Other', 'Hidden'])
    await asOwner(home, 'create_page', { title, content: 'one' });
});
afterAll(() => server.close());

const WATCHED = 'sluice://workspace/page/watched';
const TREE = 'sluice://workspace/tree';

let written = 0;
async function write(page: string): Promise<void> {
  const { version } = await asOwner<{ version: string }>(home, 'read_page', { page });
  written += 1;
  await asOwner(home, 'update_page_content', { page, content: `text ${written}`, base_version: version });
}
/** Long enough for what was gathered to be told. */
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 150));

const url = (): string => `http://127.0.0.1:${server.port}/mcp`;

/** How long a change may take to be told on a busy machine. */
const patient = { timeout: 30_000, interval: 50 };

function collect(client: Client) {
  const got: string[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void got.push(params.uri));
  client.setNotificationHandler('notifications/tools/list_changed', () => void got.push('tools'));
  client.setNotificationHandler('notifications/prompts/list_changed', () => void got.push('prompts'));
  client.setNotificationHandler('notifications/resources/list_changed', () => void got.push('resources'));
  return {
    /** What came since the last time, in order. */
    take: (): string[] => got.splice(0),
    /** What came up to and with this. */
    async until(what: string): Promise<string[]> {
      await expect.poll(() => got.includes(what), patient).toBe(true);
      return got.splice(0, got.indexOf(what) + 1);
    },
  };
}

async function follow(client: Client, era: Era, uris: string[]): Promise<void> {
  if (era === 'legacy') for (const uri of uris) await client.subscribeResource({ uri });
  else
    await client.listen({
      toolsListChanged: true,
      promptsListChanged: true,
      resourcesListChanged: true,
      resourceSubscriptions: uris,
    });
}

describe.each<[string, Era, (era: Era) => Promise<Client>]>([
  ['HTTP', 'modern', (era) => connectHttp(url(), token, era)],
  ['HTTP', 'legacy', (era) => connectHttp(url(), token, era)],
  ['stdio', 'modern', (era) => connectStdio(home, 'listener', era)],
  ['stdio', 'legacy', (era) => connectStdio(home, 'listener', era)],
])('over %s a %s client', (_wire, era, connect) => {
  it('[PROTO-08][PROTO-09] hears of the resources it follows and of lists that look different', async () => {
    const client = await connect(era);
    const heard = collect(client);
    await follow(client, era, [WATCHED]);
    // The stream of a session opens by itself; what changes before is not told on it.
    await expect
      .poll(async () => {
        await write('watched');
        await settle();
        return heard.take().includes(WATCHED);
      }, patient)
      .toBe(true);

    for (const [list, tool] of [
      ['tools', 'read_page'],
      ['prompts', 'weekly_review'],
    ] as const) {
      await asOwner(home, 'set_tool_enabled', { tool, enabled: false });
      await heard.until(list);
      await asOwner(home, 'set_tool_enabled', { tool, enabled: true });
      await heard.until(list);
    }

    // Neither is told of a resource that it may not read any more.
    await asOwner(home, 'set_tool_enabled', { tool: 'workspace_page', enabled: false });
    await heard.until('resources');
    await write('watched');
    await write('other');
    await settle();
    await asOwner(home, 'set_tool_enabled', { tool: 'workspace_page', enabled: true });
    expect(await heard.until('resources')).toEqual(['resources']);
    await write('watched');
    expect(await heard.until(WATCHED)).toEqual([WATCHED]);
    await client.close();
  });
});

it('[PROTO-08] a session that gives a resource up hears no more of it', async () => {
  const client = await connectHttp(url(), token, 'legacy');
  const heard = collect(client);
  await follow(client, 'legacy', [WATCHED, TREE]);
  await client.unsubscribeResource({ uri: WATCHED });
  await expect
    .poll(async () => {
      await write('watched');
      await settle();
      return [...new Set(heard.take())];
    }, patient)
    .toEqual([TREE]);
  await client.close();
});

it('[PROTO-10] following is a call: decided, recorded, and refused for what is not there', async () => {
  const client = await connectHttp(url(), token, 'legacy');
  await client.subscribeResource({ uri: WATCHED });
  await expect(client.subscribeResource({ uri: 'sluice://workspace/page/nobody' })).rejects.toThrow(
    'There is no page "nobody"',
  );
  const records = await auditRecords(home, { kind: 'subscription', subject_name: 'listener' });
  expect(records.slice(-2).map(({ tool_name, status }) => [tool_name, status])).toEqual([
    ['workspace_page', 'success'],
    ['workspace_page', 'error'],
  ]);
  await client.close();
});

it('[PROTO-10] what is not there is left out of what is acknowledged', async () => {
  const client = await connectHttp(url(), token, 'modern');
  const subscription = await client.listen({
    resourceSubscriptions: [WATCHED, 'sluice://workspace/page/nobody'],
  });
  expect(subscription.honoredFilter).toEqual({ resourceSubscriptions: [WATCHED] });
  await client.close();
});

it('[PROTO-11] nobody hears anything while everything is switched off', async () => {
  const client = await connectStdio(home, 'listener', 'legacy');
  const heard = collect(client);
  await follow(client, 'legacy', [TREE]);
  await asOwner(home, 'set_mcp_enabled', { enabled: false });
  await settle();
  expect(heard.take()).toEqual([]);
  await asOwner(home, 'set_mcp_enabled', { enabled: true });
  for (const list of ['tools', 'resources', 'prompts']) await heard.until(list);
  await client.close();
});

it('[PROTO-11] a stream ends with the right it was opened with', async () => {
  const doomed = await addClient(home, 'doomed');
  const client = await connectHttp(url(), doomed, 'modern');
  const subscription = await client.listen({ toolsListChanged: true });
  await asOwner(home, 'client.revoke', { name: 'doomed' });
  await expect(subscription.closed).resolves.toBeDefined();
  await client.close();
});

/** Client libraries that others wrote: the SDK of sessions, its successor, the AI SDK, LangChain, and mcp-remote. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIBRARIES, type Library, type LibraryClient } from '../../support/client-libraries.ts';
import { type FixtureServer, startFixtureServer } from '../../support/fixture-server.ts';
import { addClient, asOwner } from '../../support/owner.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const home = temporaryFolder();
const URI = 'sluice://workspace/page/hello';
const icons = ['🌍', '🌎', '🌏', '🌐'].values();
let server: FixtureServer;
let token: string;

beforeAll(async () => {
  server = await startFixtureServer(home);
  token = await addClient(home, 'library');
  await asOwner(home, 'create_page', { title: 'Hello', content: 'Hello, world' });
});
afterAll(() => server.close());

async function connected(library: Library, use: (client: LibraryClient) => Promise<void>): Promise<void> {
  const client = await library.connect({ url: `http://127.0.0.1:${server.port}/mcp`, token, folder: home });
  try {
    await use(client);
  } finally {
    await client.close();
  }
}

describe('[PROTO-17]', () => {
  it.each(LIBRARIES)('$name lists, calls and reads', (library) =>
    connected(library, async (client) => {
      expect(await client.tools()).toContain('read_page');
      const answer = await client.call('read_page', { page: 'hello' });
      expect(JSON.stringify(answer)).toContain('Hello, world');
      expect(JSON.stringify(await client.read(URI))).toContain('Hello, world');
    }),
  );

  it.each(LIBRARIES.filter(({ follows }) => follows))('$name follows a page', (library) =>
    connected(library, async (client) => {
      let told = 0;
      await client.follow?.(URI, () => {
        told += 1;
      });
      await asOwner(home, 'update_page_metadata', { page: 'hello', icon: icons.next().value });
      await expect.poll(() => told).toBeGreaterThan(0);
    }),
  );

  it.each(LIBRARIES.filter(({ givesUp }) => givesUp))(
    '$name gives a call up, and the server ends it',
    (library) =>
      connected(library, async (client) => {
        const before = server.seen.length;
        const giveUp = new AbortController();
        const calling = client.call('fixture.wait', { ms: 50_000 }, giveUp.signal);
        await expect.poll(() => server.seen.length).toBe(before + 1);
        giveUp.abort();
        await expect(calling).rejects.toThrow();
        await expect.poll(lastWait).toBe('cancelled');
      }),
  );
});

async function lastWait(): Promise<string | undefined> {
  const { records } = await asOwner<{ records: { error_code?: string }[] }>(home, 'audit.list', {
    tool_name: 'fixture.wait',
    limit: 1,
  });
  return records[0]?.error_code;
}

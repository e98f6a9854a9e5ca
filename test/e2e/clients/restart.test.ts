/** Clients whose server was stopped and started again, with the same home at the same port. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LIBRARIES, type LibraryClient } from '../../support/client-libraries.ts';
import { connectHttp } from '../../support/mcp-clients.ts';
import { addClient } from '../../support/owner.ts';
import { type RunningServer, startServer } from '../../support/process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const home = temporaryFolder();
let server: RunningServer;
let token: string;
beforeAll(async () => {
  server = await startServer(home);
  token = await addClient(home, 'restarted');
});
afterAll(() => server.stop());

const reached = () => ({ url: server.url, token, folder: home });
const works = async (client: LibraryClient): Promise<void> => {
  expect(JSON.stringify(await client.call('get_workspace', {}))).toContain('default');
};

it('[PROTO-18] a client with a session is told in words that it is gone', async () => {
  const legacy = await connectHttp(server.url, token, 'legacy');
  await restart();
  const call = legacy.callTool({ name: 'get_workspace', arguments: {} });
  await expect(call).rejects.toThrow('Session not found');
});

it.each(LIBRARIES)('[PROTO-18] $name works again, in its session or in another', async (library) => {
  const client = await library.connect(reached());
  await works(client);
  await restart();
  if (library.hasSession) await works(client).catch(() => undefined);
  else await works(client);
  await client.close().catch(() => undefined);
  const again = await library.connect(reached());
  await works(again);
  await again.close();
});

async function restart(): Promise<void> {
  await server.stop();
  server = await startServer(home, { port: server.port });
}

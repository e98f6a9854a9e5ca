/** Clients whose server was stopped and started again, with the same home at the same port. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
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

const works = async (client: Client): Promise<void> => {
  expect(await client.callTool({ name: 'get_workspace', arguments: {} })).toMatchObject({
    structuredContent: { name: 'default' },
  });
};

it('[PROTO-18] a client without a session goes on, one with a session is told and begins another', async () => {
  const modern = await connectHttp(server.url, token, 'modern');
  const legacy = await connectHttp(server.url, token, 'legacy');
  await works(modern);
  await works(legacy);
  await server.stop();
  server = await startServer(home, { port: server.port });
  await works(modern);
  await expect(works(legacy)).rejects.toThrow('Session not found');
  await works(await connectHttp(server.url, token, 'legacy'));
});

/** Calls that ask before they answer, with real clients of both eras over HTTP and stdio. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWithConformance } from '../conformance/fixture/server.ts';
import { auditHead, auditRecords } from '../support/audit.ts';
import type { FixtureServer } from '../support/fixture-server.ts';
import { askableClient, connectHttp, connectStdio, type Era } from '../support/mcp-clients.ts';
import { addClient } from '../support/owner.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { modernHttp } from '../support/wires.ts';

const home = temporaryFolder();
let server: FixtureServer;
let token: string;
beforeAll(async () => {
  server = await startWithConformance(home);
  token = await addClient(home, 'asked');
});
afterAll(() => server.close());

const textOf = (result: unknown): string | undefined =>
  (result as { content: { text?: string }[] }).content[0]?.text;

describe.each<[string, (era: Era) => Promise<Client>]>([
  ['HTTP', (era) => connectHttp(`http://127.0.0.1:${server.port}/mcp`, token, era, askableClient(era))],
  ['stdio', (era) => connectStdio(home, 'asked', era, [], askableClient(era))],
])('[PROTO-03] over %s', (_wire, connect) => {
  it.each<Era>(['modern', 'legacy'])(
    'a %s client is asked and its answers go on with the call',
    async (era) => {
      const client = await connect(era);
      const call = async (name: string, input = {}) =>
        textOf(await client.callTool({ name, arguments: input }));
      expect(await call('test_input_required_result_elicitation')).toBe('Hello, Ada!');
      expect(await call('test_input_required_result_sampling')).toBe('Paris');
      expect(await call('test_input_required_result_list_roots')).toBe('file:///srv');
      expect(await call('test_input_required_result_multiple_inputs')).toBe('Paris, Ada of 1 roots');
      expect(await call('test_input_required_result_multi_round')).toBe('Ada likes green');
      expect(await call('test_input_required_result_request_state')).toBe('state-ok');
      const prompt = await client.getPrompt({ name: 'test_input_required_result_prompt' });
      expect(prompt.messages).toHaveLength(1);
      await client.close();
    },
  );
});

it('[PROTO-04] the record shows the call that asked and the one that went on', async () => {
  const head = await auditHead(home);
  const client = await connectHttp(
    `http://127.0.0.1:${server.port}/mcp`,
    token,
    'modern',
    askableClient('modern'),
  );
  await client.callTool({ name: 'test_input_required_result_request_state', arguments: {} });
  await client.close();
  const records = await auditRecords(home, { tool_name: 'test_input_required_result_request_state' }, head);
  const ends = records.filter(({ phase }) => phase !== 'started');
  expect(ends.map(({ status, decision }) => [status, decision])).toEqual([
    ['suspended', 'allow'],
    ['success', 'allow'],
  ]);
  expect(ends[1]?.parent_call_id).toBe(ends[0]?.call_id);
});

it('[PROTO-05] a client that cannot be asked hears what it would have to be able to do', async () => {
  const { error } = await modernHttp(server.port, token).ask('tools/call', {
    name: 'test_missing_capability',
    arguments: {},
  });
  expect(error).toMatchObject({
    code: -32021,
    data: { code: 'missing_capability', requiredCapabilities: { sampling: {} } },
  });
});

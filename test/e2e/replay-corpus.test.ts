/** The short way and the SDK's way for calls of 2026: the same requests must come to the same answers and records. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type App, composeApp } from '../../src/app/compose.ts';
import { ownerGrant } from '../../src/app/local-grants.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { silentLog } from '../../src/kernel/log.ts';
import { type HttpSurface, serveHttp } from '../../src/surfaces/mcp/http.ts';
import { bindConformance } from '../conformance/fixture/family.ts';
import { type AuditFacts, storyOf } from '../support/audit.ts';
import { bindFixtures } from '../support/fixture-family.ts';
import { modernRequest } from '../support/mcp-clients.ts';
import { type Random, randomFor, times } from '../support/random.ts';
import { rawRequest } from '../support/raw-http.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { UNLIMITED } from '../support/unlimited.ts';

type Json = Record<string, unknown>;
type Headers = readonly (readonly [string, string])[];

interface Shot {
  readonly headers: Headers;
  readonly body: Json | string;
}

interface Side {
  readonly app: App;
  readonly http: HttpSurface;
  readonly token: string;
}

const sides: Side[] = [];

async function openSide(hot: boolean): Promise<Side> {
  const home = temporaryFolder();
  const { config } = loadConfig(home, {});
  const app = await composeApp({
    home,
    config: { ...config, ...UNLIMITED },
    log: silentLog,
    families: [bindFixtures(), bindConformance({ changeList: async () => undefined })],
  });
  const http = await serveHttp({
    gateway: app.gateway,
    clock: app.clock,
    log: silentLog,
    host: '127.0.0.1',
    port: 0,
    allowedHosts: [],
    maxConnections: 100,
    hot,
  });
  await asOwner(app, 'create_page', { title: 'Canon', content: '# Canon\n\nText.\n' });
  const { token } = await asOwner(app, 'client.add', { name: 'tester' });
  return { app, http, token: String(token) };
}

async function asOwner(app: App, name: string, input: Json): Promise<Json> {
  const outcome = await app.gateway.call({
    target: { kind: 'tool', name, arguments: input },
    presented: { kind: 'grant', grant: ownerGrant('admin') },
    claims: {},
    source: 'test',
  });
  if (!outcome.ok) throw outcome.error;
  return outcome.answer.kind === 'tool' ? { ...outcome.answer.structured } : {};
}

beforeAll(async () => {
  sides.push(await openSide(true), await openSide(false));
});
afterAll(async () => {
  for (const { app, http } of sides) {
    http.stop();
    await http.close();
    await app.close();
  }
});

/** What differs from home to home. */
const normal = (text: string): string =>
  text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
    .replace(/v1\.[\w.-]+/g, '<version>')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replace(/idle:\d+/g, '<run>')
    .replace(/"requestState":"[^"]*"/g, '"requestState":"<state>"');

/** The same request to both sides: status, type and body, and what the log says of it. */
async function replay({ headers, body }: Shot) {
  const answers = [];
  for (const { app, http, token } of sides) {
    const before = await headOf(app);
    const answer = await rawRequest(http.port, {
      headers: [['Authorization', `Bearer ${token}`], ...headers],
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const records = await recordsAfter(app, before);
    answers.push({
      status: answer.status,
      type: answer.headers['content-type'],
      body: normal(answer.body),
      records: records.map(storyOf),
    });
  }
  return answers;
}

async function listed(app: App, limit: number): Promise<readonly AuditFacts[]> {
  const { records } = await asOwner(app, 'audit.list', { limit });
  return records as AuditFacts[];
}
const headOf = async (app: App): Promise<number> => Number((await listed(app, 1))[0]?.sequence ?? 0);
const recordsAfter = async (app: App, sequence: number): Promise<AuditFacts[]> =>
  (await listed(app, 5)).filter(
    (record) => Number(record.sequence) > sequence && record.tool_name !== 'audit.list',
  );

function shotOf(
  name: string,
  input: unknown,
  change: (shot: { headers: Headers; body: Json }) => Shot = (shot) => shot,
): Shot {
  const { headers, body } = modernRequest('tools/call', { name, arguments: input });
  const shot = { headers: Object.entries(headers), body: body as Json };
  return change(shot);
}

/** With another value at a place of the body; undefined takes it away. */
const putting =
  (path: readonly string[], value: unknown) =>
  ({ headers, body }: { headers: Headers; body: Json }): Shot => ({
    headers,
    body: placed(body, path, value),
  });

function placed(at: Json, [key = '', ...rest]: readonly string[], value: unknown): Json {
  return { ...at, [key]: rest.length === 0 ? value : placed(at[key] as Json, rest, value) };
}

const without = (headers: Headers, name: string): Headers => headers.filter(([known]) => known !== name);
const withHeader = (headers: Headers, name: string, value: string): Headers => [
  ...without(headers, name),
  [name, value],
];

const PROTOCOL = 'io.modelcontextprotocol/';

const CORPUS: Readonly<Record<string, Shot>> = {
  'a read': shotOf('read_page', { page: 'canon' }),
  'a write': shotOf('create_page', { title: 'Made', content: 'x' }),
  'an answer of its own': shotOf('get_my_scopes', {}),
  'a page that is not there': shotOf('read_page', { page: 'nowhere' }),
  'a change that waits for review': shotOf('update_page_content', { page: 'canon', content: 'mine' }),
  'a wrong argument': shotOf('search', { query: 5 }),
  'a missing argument': shotOf('read_page', {}),
  'no arguments': shotOf('get_my_scopes', undefined),
  'arguments that are no object': shotOf('search', ['x']),
  'a tool that is not there': shotOf('no_such_tool', {}),
  'a tool that is hidden': shotOf('get_mcp_token', {}),
  'the underscore form': shotOf('fixture_fail', {}),
  'a tool that fails': shotOf('fixture.fail', { secret: 's' }),
  'a tool that answers wrongly': shotOf('fixture.wrong_output', {}),
  'a tool that answers too much': shotOf('fixture.large', { characters: 2_000_000 }),
  'an answer of somebody else': shotOf('fixture.labelled', {}),
  'a picture': shotOf('test_image_content', {}),
  'an error that the tool tells itself': shotOf('test_error_handling', {}),
  'a question to a client that can answer': shotOf(
    'test_input_required_result_elicitation',
    {},
    putting(['params', '_meta', `${PROTOCOL}clientCapabilities`], { elicitation: { form: {} } }),
  ),
  'a question to a client that cannot answer': shotOf('test_input_required_result_elicitation', {}),
  'a tool that needs what the client cannot do': shotOf('test_missing_capability', {}),
  'an answer to no question': shotOf(
    'test_input_required_result_elicitation',
    {},
    putting(['params', 'inputResponses'], {}),
  ),
  'an argument that no header repeats': shotOf('test_mirrored_argument', { region: 'eu' }),
  'an argument that a header repeats': shotOf('test_mirrored_argument', { region: 'eu' }, (shot) => ({
    ...shot,
    headers: withHeader(shot.headers, 'Mcp-Param-Region', 'eu'),
  })),
  'an argument that a header contradicts': shotOf('test_mirrored_argument', { region: 'eu' }, (shot) => ({
    ...shot,
    headers: withHeader(shot.headers, 'Mcp-Param-Region', 'us'),
  })),
  'too much at once': shotOf('search', { query: 'x', padding: 'y'.repeat(300_000) }),
  'too deep': shotOf('search', { query: 'x', deep: JSON.parse('['.repeat(80) + ']'.repeat(80)) }),
  'a lone surrogate': shotOf('search', { query: '\ud800' }),
  'a text id': shotOf('get_my_scopes', {}, putting(['id'], 'a "quoted" id')),
  'a broken number as id': shotOf('get_my_scopes', {}, putting(['id'], 1.5)),
  'no id': shotOf('get_my_scopes', {}, putting(['id'], undefined)),
  'null as id': shotOf('get_my_scopes', {}, putting(['id'], null)),
  'another jsonrpc': shotOf('get_my_scopes', {}, putting(['jsonrpc'], '1.0')),
  'a further member': shotOf('get_my_scopes', {}, putting(['extra'], 1)),
  'a further param': shotOf('get_my_scopes', {}, putting(['params', 'extra'], 1)),
  'params that are a list': shotOf('get_my_scopes', {}, putting(['params'], [])),
  'a run': shotOf('get_my_scopes', {}, putting(['params', '_meta', 'dev.sluice/run'], 'nightly')),
  'a wrong run': shotOf('get_my_scopes', {}, putting(['params', '_meta', 'dev.sluice/run'], { a: 1 })),
  'a wrong origin': shotOf('get_my_scopes', {}, putting(['params', '_meta', 'dev.sluice/origin'], 'me')),
  'a wish for progress': shotOf('get_my_scopes', {}, putting(['params', '_meta', 'progressToken'], 7)),
  'a log level': shotOf('get_my_scopes', {}, putting(['params', '_meta', `${PROTOCOL}logLevel`], 'info')),
  'a client that names itself': shotOf(
    'get_my_scopes',
    {},
    putting(['params', '_meta', `${PROTOCOL}clientInfo`], { name: 'x', version: '1' }),
  ),
  'a client that names itself wrongly': shotOf(
    'get_my_scopes',
    {},
    putting(['params', '_meta', `${PROTOCOL}clientInfo`], 'x'),
  ),
  'no capabilities': shotOf(
    'get_my_scopes',
    {},
    putting(['params', '_meta', `${PROTOCOL}clientCapabilities`], undefined),
  ),
  'capabilities that are text': shotOf(
    'get_my_scopes',
    {},
    putting(['params', '_meta', `${PROTOCOL}clientCapabilities`], 'all'),
  ),
  'a later revision': shotOf(
    'get_my_scopes',
    {},
    putting(['params', '_meta', `${PROTOCOL}protocolVersion`], '2031-01-01'),
  ),
  'another name in the header': shotOf('get_my_scopes', {}, ({ headers, body }) => ({
    headers: withHeader(headers, 'Mcp-Name', 'search'),
    body,
  })),
  'the name encoded': shotOf('get_my_scopes', {}, ({ headers, body }) => ({
    headers: withHeader(headers, 'Mcp-Name', `=?base64?${Buffer.from('get_my_scopes').toString('base64')}?=`),
    body,
  })),
  'no method header': shotOf('get_my_scopes', {}, ({ headers, body }) => ({
    headers: without(headers, 'Mcp-Method'),
    body,
  })),
  'no version header': shotOf('get_my_scopes', {}, ({ headers, body }) => ({
    headers: without(headers, 'MCP-Protocol-Version'),
    body,
  })),
  'broken JSON': shotOf('get_my_scopes', {}, ({ headers }) => ({ headers, body: '{"jsonrpc":' })),
  'a key twice': shotOf('get_my_scopes', {}, ({ headers, body }) => ({
    headers,
    body: JSON.stringify(body).replace('"id":', '"id":9,"id":'),
  })),
};

describe('[MCP-18] the short way and the long way', () => {
  it.each(Object.entries(CORPUS))('answer alike to %s, the first and the second time', async (_, shot) => {
    for (let time = 0; time < 2; time += 1) {
      const [short, long] = await replay(shot);
      expect(short).toEqual(long);
    }
  });

  it('answer alike to calls that were broken at random', async () => {
    const random = randomFor('replay corpus');
    for (let round = 0; round < times(150, 5_000); round += 1) {
      const shot = broken(random);
      const [short, long] = await replay(shot);
      expect(short, JSON.stringify(shot)).toEqual(long);
    }
  });
});

/** A good call with one to three things changed, taken away or added, anywhere in it. */
function broken(random: Random): Shot {
  const base = random.pick(Object.values(CORPUS).filter(({ body }) => typeof body !== 'string'));
  const body = JSON.parse(JSON.stringify(base.body)) as Json;
  let { headers } = base;
  for (let changes = random.between(1, 3); changes > 0; changes -= 1) {
    if (random.oneIn(4)) headers = brokenHeaders(random, headers);
    else breakOne(random, body);
  }
  return { headers, body };
}

const VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e300,
  '',
  'x',
  [],
  {},
  ['a'],
  { a: { b: [] } },
  '2026-07-28',
];

function breakOne(random: Random, root: Json): void {
  let at: Json = root;
  for (;;) {
    const inner = Object.values(at).filter((value) => typeof value === 'object' && value !== null);
    if (inner.length === 0 || random.oneIn(3)) break;
    at = random.pick(inner) as Json;
  }
  const key = random.pick([...Object.keys(at), 'name', '_meta', 'progressToken', 'constructor']);
  if (random.oneIn(3)) delete at[key];
  else at[key] = random.pick(VALUES);
}

function brokenHeaders(random: Random, headers: Headers): Headers {
  const name = random.pick(['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name', 'Accept']);
  if (random.oneIn(2)) return without(headers, name);
  return withHeader(
    headers,
    name,
    random.pick(['2026-07-28', '2025-11-25', 'tools/call', 'search', ' x ', '*/*']),
  );
}

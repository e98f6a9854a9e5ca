/** One script of calls, made over every wire in a home of its own: outcomes and audit records must not differ. */
import { beforeAll, describe, expect, it } from 'vitest';
import { createSluice } from '../../src/index.ts';
import type { SluiceError } from '../../src/kernel/errors.ts';
import { type AuditFacts, auditRecords, storyOf } from '../support/audit.ts';
import { bindFixtures } from '../support/fixture-family.ts';
import { startFixtureServer } from '../support/fixture-server.ts';
import { addClient, asOwner } from '../support/owner.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import {
  legacyHttp,
  legacyStdio,
  modernHttp,
  modernStdio,
  structuredOf,
  type Wire,
} from '../support/wires.ts';

type Outcome = { readonly ok: unknown } | { readonly error: unknown };
type OwnerCall = (tool: string, input: Record<string, unknown>) => Promise<unknown>;

/** A way to make the script's calls, and what the owner sees afterwards. */
interface Side {
  call(name: string, input: Record<string, unknown>): Promise<Outcome>;
  read(uri: string): Promise<Outcome>;
  prompt(name: string, input: Record<string, string>): Promise<Outcome>;
  tools(): Promise<Outcome>;
  readonly owner: OwnerCall;
  audit(): Promise<AuditFacts[]>;
  close(): Promise<void>;
}

const MISSING = { code: 'resource_not_found', retry: 'changed' };

type Step = (side: Side) => Promise<Outcome>;
const call =
  (name: string, input: Record<string, unknown> = {}): Step =>
  (side) =>
    side.call(name, input);

const STEPS: readonly (readonly [string, Step])[] = [
  [
    'makes a page',
    call('create_page', { title: 'Alpha', content: '# Alpha\n\nSee [[Canon]].\n', tags: ['a'] }),
  ],
  ['reads it', call('read_page', { page: 'alpha' })],
  ['reads one that is not its own', call('read_page', { page: 'canon', outline: true })],
  ['searches', call('search', { query: 'alpha -nothing', limit: 3, mode: 'text' })],
  ['asks for the tree', call('get_page_tree', { depth: 1 })],
  ['asks for links', call('get_backlinks', { page: 'canon' })],
  ['asks who it is', call('get_my_scopes')],
  ['asks where it is', call('get_workspace')],
  [
    'changes its own page',
    call('update_page_content', { page: 'alpha', content: 'new\n', base_version: 'v1.AA' }),
  ],
  ['changes a canonical page', call('update_page_content', { page: 'canon', content: 'mine now\n' })],
  [
    'changes a page against a version that never was',
    call('update_page_content', { page: 'alpha', content: 'x', if_match: 'v1.no' }),
  ],
  ['renames with a dry run', call('rename_page', { page: 'alpha', title: 'Omega', dry_run: true })],
  ['misspells a dry run', call('rename_page', { page: 'alpha', title: 'Omega', dryRun: true })],
  ['brings arguments that are not known', call('get_page_tree', { depths: 1, zebra: { a: 'secret' } })],
  ['makes a page with a key', call('create_page', { title: 'Once', idempotency_key: 'k' })],
  ['makes it again', call('create_page', { title: 'Once', idempotency_key: 'k' })],
  ['uses the key for something else', call('create_page', { title: 'Twice', idempotency_key: 'k' })],
  ['reads a page that is not there', call('read_page', { page: 'nowhere' })],
  ['reads a page whose name fits two', call('read_page', { page: 'same' })],
  [
    'restores what was never deleted',
    call('restore_page', { batch: '0199c0de-0000-7000-8000-000000000000' }),
  ],
  ['sends a wrong type', call('search', { query: 5, limit: 'many' })],
  ['leaves an argument out', call('read_page')],
  ['sends a lone surrogate', call('search', { query: '\ud800' })],
  ['sends too much', call('search', { query: 'x', padding: 'y'.repeat(300_000) })],
  ['just fits', call('search', { query: 'x', mode: 'text', padding: 'y'.repeat(262_144 - 40) })],
  ['is one byte too long', call('search', { query: 'x', mode: 'text', padding: 'y'.repeat(262_144 - 39) })],
  ['nests too deep', call('search', { query: 'x', deep: JSON.parse('['.repeat(80) + ']'.repeat(80)) })],
  ['calls a tool that is not there', call('no_such_tool')],
  ['calls a tool it must not see', call('get_mcp_token')],
  ['calls it by its other name', call('client_add', { name: 'x' })],
  ['calls a tool that fails', call('fixture.fail', { secret: 's' })],
  ['calls a tool that answers wrongly', call('fixture.wrong_output')],
  ['calls a tool that answers too much', call('fixture.large', { characters: 2_000_000 })],
  ['calls a tool that takes too long', call('fixture.late')],
  ['deletes a page', call('delete_page', { page: 'once' })],
  ['lists the trash', call('list_trash')],
  ['reads the tree as a resource', (side) => side.read('sluice://workspace/tree')],
  ['reads a page as a resource', (side) => side.read('inklings://workspace/page/canon')],
  ['reads a resource that is not there', (side) => side.read('sluice://workspace/page/nowhere')],
  ['reads what is no resource', (side) => side.read('file:///etc/passwd')],
  ['asks for a prompt', (side) => side.prompt('summarize_page', { page: 'canon' })],
  ['asks for a prompt that is not there', (side) => side.prompt('nothing', {})],
  ['asks for a prompt without what it needs', (side) => side.prompt('summarize_page', {})],
  ['lists what it may call', (side) => side.tools()],
  [
    'calls where no workspace is open',
    async (side) => {
      await side.owner('workspace.close', { workspace: 'default' });
      return side.call('search', { query: 'x', mode: 'text' });
    },
  ],
];

async function furnish(owner: OwnerCall): Promise<void> {
  await owner('create_page', { title: 'Canon', content: '# Canon\n\nText.\n' });
  for (const parent of ['X', 'Y']) {
    await owner('create_page', { title: parent });
    await owner('create_page', { title: 'Same', parent: parent.toLowerCase() });
  }
}

async function overWire(open: (port: number, token: string, home: string) => Promise<Wire>): Promise<Side> {
  const home = temporaryFolder();
  const server = await startFixtureServer(home);
  const token = await addClient(home, 'tester');
  const owner: OwnerCall = (tool, input) => asOwner(home, tool, input);
  await furnish(owner);
  const wire = await open(server.port, token, home);
  const ask = async (method: string, params: Record<string, unknown>): Promise<Outcome> => {
    const message = await wire.ask(method, params);
    if (message.error) {
      // On the wire a resource that is not there says so by its URI and nothing else.
      const missing = Object.keys(message.error.data ?? {}).join() === 'uri';
      return { error: missing ? { ...MISSING, message: message.error.message } : message.error.data };
    }
    return message.result?.isError ? { error: structuredOf(message) } : { ok: message.result };
  };
  return {
    owner,
    async call(name, input) {
      const outcome = await ask('tools/call', { name, arguments: input });
      return 'ok' in outcome ? { ok: factsIn(outcome.ok as ToolResult) } : outcome;
    },
    async read(uri) {
      const outcome = await ask('resources/read', { uri });
      if (!('ok' in outcome)) return outcome;
      const [content] = (outcome.ok as { contents: { mimeType: string; text: string }[] }).contents;
      return { ok: { mimeType: content?.mimeType, text: content?.text } };
    },
    async prompt(name, input) {
      const outcome = await ask('prompts/get', { name, arguments: input });
      if (!('ok' in outcome)) return outcome;
      const { messages } = outcome.ok as { messages: unknown[] };
      return { ok: messages };
    },
    async tools() {
      const outcome = await ask('tools/list', {});
      return 'ok' in outcome ? { ok: (outcome.ok as { tools: unknown }).tools } : outcome;
    },
    audit: () => auditRecords(home, { subject_name: 'tester' }),
    async close() {
      await wire.close();
      await server.close();
    },
  };
}

interface ToolResult {
  readonly structuredContent: Readonly<Record<string, unknown>>;
  readonly content: readonly { readonly text: string }[];
  readonly _meta?: Readonly<Record<string, { readonly note?: string } | undefined>>;
}

/** With what is said of the arguments, which stands in the text as well. */
function factsIn({ structuredContent, content, _meta: meta }: ToolResult): unknown {
  const said = meta?.[ARGUMENTS];
  expect(content.slice(1).map(({ text }) => text)).toEqual(said ? [said.note] : []);
  return said ? { ...structuredContent, _meta: { [ARGUMENTS]: said } } : structuredContent;
}

const ARGUMENTS = 'dev.sluice/arguments';

async function inProcess(): Promise<Side> {
  const sluice = await createSluice({ home: temporaryFolder(), families: [bindFixtures()] });
  const owner: OwnerCall = (tool, input) => sluice.call(tool, input);
  await furnish(owner);
  const client = sluice.as({ name: 'tester' });
  const outcomeOf = async (made: Promise<unknown>): Promise<Outcome> => {
    try {
      return { ok: await made };
    } catch (error) {
      return { error: (error as SluiceError).toWire() };
    }
  };
  return {
    owner,
    call: (name, input) => outcomeOf(client.call(name, input)),
    async read(uri) {
      const outcome = await outcomeOf(client.readResource(uri));
      const error = 'error' in outcome ? (outcome.error as { code: string; message: string }) : undefined;
      return error?.code === MISSING.code ? { error: { ...MISSING, message: error.message } } : outcome;
    },
    prompt: (name, input) => outcomeOf(client.getPrompt(name, input)),
    tools: () => outcomeOf(client.listTools()),
    async audit() {
      const found = await sluice.call('audit.list', { subject_name: 'tester', limit: 500 });
      return (found.records as AuditFacts[]).toReversed();
    },
    close: () => sluice.close(),
  };
}

const SIDES: Readonly<Record<string, () => Promise<Side>>> = {
  'in process': inProcess,
  'HTTP of 2026': () => overWire(async (port, token) => modernHttp(port, token)),
  'HTTP of 2025': () => overWire((port, token) => legacyHttp(port, token)),
  'stdio of 2026': () => overWire(async (_port, _token, home) => modernStdio(home, 'tester')),
  'stdio of 2025': () => overWire((_port, _token, home) => legacyStdio(home, 'tester')),
};

/** Ids, versions, times, runs and digests of answers are different in every home. */
function normal(value: unknown): unknown {
  const text = JSON.stringify(value)
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
    .replace(/"v1\.[\w.-]+"/g, '"<version>"')
    .replace(/version v1(\.[\w-]+)+/g, 'version <version>')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replace(/"run":"[^"]*"/g, '"run":"<run>"')
    .replace(/"meaning":"\w+"/g, '"meaning":"<meaning>"')
    .replace(/"policy_version":\d+/g, '"policy_version":0');
  return JSON.parse(text);
}

interface Told {
  readonly outcomes: Readonly<Record<string, unknown>>;
  readonly audit: readonly unknown[];
}

const told = new Map<string, Told>();

beforeAll(async () => {
  await Promise.all(
    Object.entries(SIDES).map(async ([title, open]) => {
      const side = await open();
      const outcomes: Record<string, unknown> = {};
      for (const [name, step] of STEPS) outcomes[name] = normal(await step(side));
      const audit = (await side.audit()).map((record) => normal(storyOf(record)));
      told.set(title, { outcomes, audit });
      await side.close();
    }),
  );
}, 120_000);

const reference = (): Told => told.get('in process') as Told;

describe('[MCP-01] every wire', () => {
  it.each(Object.keys(SIDES).slice(1))('%s gives the outcomes that a call in process gives', (title) => {
    for (const [name] of STEPS)
      expect(told.get(title)?.outcomes[name], name).toEqual(reference().outcomes[name]);
  });

  it.each(Object.keys(SIDES).slice(1))('[MCP-02] %s leaves the same records', (title) => {
    expect(told.get(title)?.audit).toEqual(reference().audit);
  });
});

it('[PIPE-31] what became of unknown arguments is said over every wire', () => {
  const { outcomes } = reference();
  expect(outcomes['misspells a dry run']).toMatchObject({
    ok: { dry_run: true, _meta: { [ARGUMENTS]: { read: [{ argument: 'dryRun', as: 'dry_run' }] } } },
  });
  expect(outcomes['brings arguments that are not known']).toMatchObject({
    ok: {
      _meta: { [ARGUMENTS]: { ignored: [{ argument: 'depths', meant: 'depth' }, { argument: 'zebra' }] } },
    },
  });
});

it('[MCP-01] the script meets every way in which a call of a client can end', () => {
  const codes = Object.values(reference().outcomes).map(
    (outcome) => (outcome as { error?: { code: string } }).error?.code ?? 'success',
  );
  expect([...new Set(codes)].sort()).toEqual([
    'ambiguous',
    'conflict',
    'deadline_exceeded',
    'internal',
    'invalid_input',
    'invalid_request',
    'no_workspace',
    'not_found',
    'output_too_large',
    'payload_too_large',
    'resource_not_found',
    'success',
    'unknown_tool',
  ]);
  expect(reference().audit.length).toBeGreaterThanOrEqual(STEPS.length);
});

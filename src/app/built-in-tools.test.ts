import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { protectedUpstream } from '../../test/support/protected-upstream.ts';
import { BENIGN, scriptedUpstream } from '../../test/support/scripted-upstream.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import type { JsonSchema } from '../catalogue/schema.ts';
import { isToolName, nameInForm } from '../catalogue/tool-names.ts';
import { describeTool } from '../catalogue/wire-tool.ts';
import { loadConfig } from '../config/load-config.ts';
import type { Grant } from '../domain/governance/credentials.ts';
import type { CallClaims } from '../gateway/request.ts';
import { silentLog } from '../kernel/log.ts';
import { isScope } from '../kernel/scopes.ts';
import { DERIVATION_RULES, REVIEWED_KINDS, WRITE_KINDS } from '../kernel/submission.ts';
import { type App, composeApp } from './compose.ts';
import { describeCatalogue } from './describe-catalogue.ts';
import { clientGrant, ownerGrant, systemGrant } from './local-grants.ts';
import { sealAnswer, sealCredential } from './seal-secret.ts';

const home = temporaryFolder();
const app: App = await composeApp({ home, config: loadConfig(home, {}).config, log: silentLog });
afterAll(() => app.close());

const { tools, resources, prompts } = app.catalogue;
const named = tools.map((tool) => [tool.name, tool] as const);

interface Node extends JsonSchema {
  readonly type?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Node>>;
}

it('[CAT-08] are all described, but what is Sluice’s own business', () => {
  const described = describeCatalogue().map(({ name }) => name);
  expect(described.sort()).toEqual(tools.filter(({ internal }) => !internal).map(({ name }) => name));
});

it('[MERGE-11] take a version wherever they write to one live page', () => {
  // What is in the trash has no version to be read, and undoing goes by its change.
  const without = ['purge_page', 'restore_page'];
  const writers = tools.filter(({ write, input, name }) => {
    const { properties = {} } = input.json as Node;
    return write && REVIEWED_KINDS.includes(write.kind) && 'page' in properties && !without.includes(name);
  });
  expect(writers.length).toBeGreaterThan(10);
  for (const { name, input } of writers)
    expect([name, Object.keys((input.json as Node).properties ?? {})]).toEqual([
      name,
      expect.arrayContaining(['if_match']),
    ]);
});

describe.each(named)('[CAT-08] the tool %s', (_, tool) => {
  it('declares all registration metadata', () => {
    expect(tool.title).toMatch(/^[A-Z].{2,59}$/);
    expect(tool.summary).toMatch(/^[A-Z].*\.$/);
    expect(tool.summary.length).toBeLessThanOrEqual(200);
    expect(tool.scopes.every(isScope)).toBe(true);
    expect(['sandbox', 'orchestrator', 'both']).toContain(tool.reach);
    expect(['read_only', 'local_side_effect', 'external_side_effect', 'sensitive_read']).toContain(
      tool.effect,
    );
    for (const scoped of tool.taskScoped) expect(tool.input.json).toHaveProperty(`properties.${scoped}`);
  });

  it('has limits that are bounds', () => {
    const { inputBytes, outputBytes, timeoutMs } = tool.limits;
    expect(inputBytes).toBeGreaterThan(0);
    expect(inputBytes).toBeLessThanOrEqual(8 * 1024 * 1024);
    expect(outputBytes).toBeGreaterThan(0);
    expect(outputBytes).toBeLessThanOrEqual(32 * 1024 * 1024);
    expect(timeoutMs).toBeGreaterThan(0);
    expect(timeoutMs).toBeLessThanOrEqual(10 * 60 * 1000);
  });

  it('shows an example that its own input takes', () => {
    expect(tool.input.check(tool.example)).toMatchObject({ ok: true });
    const onTheWire = z.fromJSONSchema(tool.input.json as Parameters<typeof z.fromJSONSchema>[0]);
    expect(onTheWire.safeParse(tool.example).success).toBe(true);
  });

  it('registers a write exactly when it writes, about arguments that it has', () => {
    expect(tool.write !== undefined).toBe(tool.effect === 'local_side_effect');
    expect(tool.mode).toBe(tool.write ? 'write' : tool.effect === 'external_side_effect' ? 'action' : 'read');
    if (!tool.write) return;
    const properties = (tool.input.json as Node).properties ?? {};
    const { kind, contentArgument, derivation, derivationArgument } = tool.write;
    expect(WRITE_KINDS).toContain(kind);
    expect(DERIVATION_RULES).toContain(derivation);
    if (contentArgument !== undefined) expect(Object.keys(properties)).toContain(contentArgument);
    const needsArgument = derivation === 'argument' || derivation === 'both';
    if (derivation !== 'read-trail') expect(derivationArgument !== undefined).toBe(needsArgument);
    if (derivationArgument !== undefined) {
      expect(properties[derivationArgument]).toMatchObject({ type: 'array', items: { type: 'string' } });
    }
  });

  it('is offered to agents only within a scope, unless it tells them about themselves', () => {
    // What leads to others is decided by what they need.
    if (tool.scopes.length > 0 || tool.forwards) return;
    expect(tool).toMatchObject({ effect: 'read_only', family: 'control' });
  });
});

describe('[CAT-09] names in the catalogue', () => {
  it('are at most 64 characters and unique in both forms', () => {
    for (const entries of [tools, resources, prompts]) {
      expect(entries.every(({ name }) => isToolName(name))).toBe(true);
      const forms = entries.map(({ name }) => nameInForm(name, 'underscore'));
      expect(new Set(forms).size).toBe(entries.length);
    }
  });

  it('of the eleven tools that the workspace began with are all there', () => {
    const eleven = [
      'search',
      'get_page_tree',
      'get_backlinks',
      'get_outgoing_links',
      'read_page',
      'create_page',
      'update_page_content',
      'update_page_metadata',
      'move_page',
      'rename_page',
      'delete_page',
    ];
    expect(eleven.filter((name) => !app.catalogue.tool(name))).toEqual([]);
  });

  it.each([...resources, ...prompts].map((entry) => [entry.name, entry] as const))(
    'of %s come with a title, one sentence and known scopes',
    (_, entry) => {
      expect(entry.title).toMatch(/^[A-Z]/);
      expect(entry.summary).toMatch(/^[A-Z].{5,198}\.$/);
      expect(entry.scopes.length > 0 && entry.scopes.every(isScope)).toBe(true);
      expect(entry.effect).toBe('read_only');
      const described = entry.kind === 'prompt' ? entry.arguments : [];
      for (const { name, description } of described) expect([name, description]).not.toContain('');
    },
  );
});

/** What clients are known to stumble over: unions and references at the top, and words few of them know. */
const RARE = [
  'allOf',
  'not',
  'if',
  'dependentSchemas',
  'patternProperties',
  'unevaluatedProperties',
  'propertyNames',
  '$dynamicRef',
];
/** Properties whose name says it all. */
const PLAIN = new Set(
  'title content name icon query limit tags mode filters origin lifecycle properties role reach scopes tools effect reason enabled port resource_type subject_type family cursor until writer call_id'.split(
    ' ',
  ),
);

/** Every schema inside a schema; what is called `properties` may itself be a property. */
function everyNode(node: unknown): Node[] {
  if (typeof node !== 'object' || node === null) return [];
  if (Array.isArray(node)) return node.flatMap(everyNode);
  const { properties = {}, ...words } = node as Node;
  const inner = ['items', 'additionalProperties', 'anyOf', 'oneOf', 'allOf', 'prefixItems', '$defs'];
  return [
    node as Node,
    ...Object.values(properties).flatMap(everyNode),
    ...inner.flatMap((word) => everyNode(words[word])),
  ];
}

/** Itself, or one of the forms it may take. */
const isDescribed = (node: Node): boolean =>
  node.description !== undefined || ((node.anyOf as Node[] | undefined)?.some(isDescribed) ?? false);

describe.each(named)('[CAT-10] the wire schemas of %s', (name, tool) => {
  const wire = describeTool(tool, 'dotted');

  it('are objects, without unions or references at the top', () => {
    for (const schema of [wire.inputSchema, ...(wire.outputSchema ? [wire.outputSchema] : [])]) {
      expect(schema.type).toBe('object');
      expect(schema.properties).toBeDefined();
      for (const word of ['anyOf', 'oneOf', 'allOf', '$ref', 'not', 'enum'])
        expect(schema).not.toHaveProperty(word);
    }
  });

  it('use no words in the input that common clients do not know, and no references', () => {
    const words = everyNode(wire.inputSchema).flatMap((node) => Object.keys(node));
    for (const word of [...RARE, '$ref', '$defs', 'oneOf', 'prefixItems']) expect(words).not.toContain(word);
  });

  it('describe every property that does not explain itself', () => {
    const properties = Object.entries((wire.inputSchema as Node).properties ?? {});
    const audited = name === 'audit.list';
    const silent = properties.filter(
      ([key, node]) => !isDescribed(node) && !PLAIN.has(key) && !(audited && isAuditField(key)),
    );
    expect(silent.map(([key]) => key)).toEqual([]);
  });

  it('survive the way to a client', () => {
    for (const schema of [wire.inputSchema, wire.outputSchema ?? {}]) {
      expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
      expect(() => z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0])).not.toThrow();
    }
  });
});

/** The filters of the audit log are the fields of its records, which its own page explains. */
const isAuditField = (key: string): boolean =>
  /_id$|_name$|_code$|^(kind|surface|server|decision|status|gate)$/.test(key);

describe('[CAT-11] the answer of every tool', () => {
  const seen = new Map<string, Record<string, unknown>>();

  const ask = (
    name: string,
    input: Record<string, unknown>,
    grant: Grant = ownerGrant('admin'),
    claims: CallClaims = {},
  ) =>
    app.gateway.call({
      target: { kind: 'tool', name, arguments: input },
      presented: { kind: 'grant', grant },
      claims,
      source: 'test',
    });
  const agentGrant = { ...ownerGrant('admin'), origin: 'agent-produced' } as const;
  const call = async (
    name: string,
    input: Record<string, unknown> = {},
    { claims = {}, grant = ownerGrant('admin') }: { claims?: CallClaims; grant?: Grant } = {},
  ): Promise<Record<string, unknown>> => {
    const outcome = await ask(name, input, grant, claims);
    if (!outcome.ok) throw new Error(`${name}: ${outcome.error.message}`);
    const structured = outcome.answer.kind === 'tool' ? { ...outcome.answer.structured } : {};
    seen.set(name, structured);
    return structured;
  };

  beforeAll(async () => {
    const alpha = await call('create_page', {
      title: 'Alpha',
      content: '# One\n\nSee [[Beta]], [[Nowhere]] and [x](https://example.org).\n\n## Two\n\nText.\n',
      icon: '🚀',
      tags: ['a/b'],
      properties: { due: '2026-01-01', count: 3, done: false, list: ['x', 1, true], none: null },
    });
    await call('create_page', {
      title: 'Beta',
      parent: 'alpha',
      content: '[[Alpha]]',
      derived_from: ['alpha'],
    });
    await call('read_page', { page: 'alpha', outline: true });
    await call('read_page', { page: 'beta' });
    await call('get_page_tree');
    await call('get_backlinks', { page: 'alpha' });
    await call('get_outgoing_links', { page: 'alpha' });
    await call('search', { query: 'see' });
    await call('get_search_status');
    await call('reindex_search', { seconds: 1 });
    await call('update_page_content', { page: 'alpha', content: '# New\n', base_version: alpha.version });
    await call('update_page_metadata', { page: 'alpha', icon: null });
    await call('create_page', { title: 'Edited', content: '# New\n' });
    await call('edit_page', { page: 'edited', edits: [{ op: 'append', section: 'New', text: 'More.' }] });
    const { blocks } = await call('list_blocks', { page: 'edited' });
    await call('read_block', { page: 'edited', block: (blocks as { id: string }[])[0]?.id });
    await call('set_properties', { page: 'edited', properties: { due: '2026-01-01', list: ['x', 1] } });
    await call('tag_page', { page: 'edited', tags: ['a/b', 'c'] });
    await call('untag_page', { page: 'edited', tags: ['c'] });
    await call('list_tags');
    await call('rename_heading', { page: 'edited', section: 'New', title: 'Newer' });
    await call('rename_tag', { from: 'a', to: 'd' });
    await call('rename_page', { page: 'alpha', title: 'Gamma', keep_alias: true });
    const { change } = await call('move_page', { page: 'beta', parent: null, position: 0 });
    await call('undo_change', { change });
    await call('get_page_history', { page: 'gamma' });
    await call('create_derived_page', { title: 'Made of what was read', content: 'x' });
    await call('diff_versions', { page: 'gamma' });
    await call('get_provenance', { page: 'beta', blocks: true });
    await call('export_provenance', { page: 'beta' });
    const { events } = await call('get_timeline');
    await call('update_page_metadata', { page: 'gamma', icon: 'x' }, { grant: agentGrant });
    const { proposal } = await call(
      'update_page_content',
      { page: 'gamma', content: '# New\n\nMore.\n\nEven more.\n' },
      { grant: agentGrant },
    );
    const { id } = proposal as { id: string };
    await call('list_proposals');
    await call('read_proposal', { proposal: id, content: true });
    await call('accept_proposal', { proposal: id, note: 'fine' });
    const { id: page } = await call('create_page', { title: 'Delta' }, { grant: agentGrant });
    await call('reject_proposal', { proposal: page });
    const { version: head } = await call('read_page', { page: 'gamma' });
    await call('restore_version', { page: 'gamma', version: alpha.version, if_match: head });
    await call('undo_run', { run: (events as { run: string }[])[0]?.run, dry_run: true });
    const { batch } = await call('delete_page', { page: 'gamma' });
    await call('list_trash');
    await call('restore_page', { batch });
    await call('import_pages', { files: [{ path: 'In/Note.md', text: '![[a.bin]]' }] });
    const { blobs } = await call('upload_blobs', { blobs: ['aGVsbG8='] });
    const [{ digest } = { digest: '' }] = blobs as { digest: string }[];
    await call('import_attachments', { files: [{ path: 'In/a.bin', digest, size: 5, parts: [digest] }] });
    await call('attach_file', { page: 'edited', name: 'b.bin', bytes: 'aGVsbG8=' });
    await call('list_attachments');
    await call('read_attachment', { path: 'In/a.bin' });
    await call('detach_file', { path: 'In/a.bin' });
    await call('export_pages');
    await call('list_page_files');
    await call('sync_pages', { files: [{ path: 'In/Synced.md', text: 'synced' }] });
    await call('remove_files', { files: [{ path: 'In/a.bin', digest }] });
    const about = { page: 'gamma', subject_type: 'role', subject: 'reader' };
    await call('grant_permission', { ...about, level: 'hidden' });
    await call('list_permissions');
    await call('revoke_permission', about);
    await call('workspace.set_read_only', { read_only: false });
    const fact = { tier: 'semantic', subject: 'Alpha', predicate: 'is', body: 'First.', sources: ['gamma'] };
    const { id: old } = await call('memory_write', fact);
    const { id: fresh } = await call('memory_write', { ...fact, subject: 'Omega' });
    await call('memory_write', { tier: 'working', name: 'goal', body: 'Go on.' });
    await call('memory_write', { ...fact, body: 'Last.' }, { claims: { origin: 'agent-produced' } });
    const { items } = await call('memory_search', { query: 'last', include_candidates: true });
    const [candidate] = items as { id: string }[];
    await call('memory_review', { id: candidate?.id, decision: 'accept', anyway: true });
    await call('memory_context', { query: 'alpha' });
    await call('memory_update', { id: fresh, outcome: 'success' });
    await call('memory_supersede', { old: candidate?.id, new: fresh });
    await call('memory_forget', { ids: [old] });
    await call('memory_read', { id: old });
    await call('memory_write', { tier: 'episodic', body: 'Please remember that owls are awake at night.' });
    await call('memory_consolidate', { dry_run: true });
    await call('memory_stats');
    await call('memory.add', { job_id: 'job', key: 'plan', content: 'Begin.' });
    await call('memory.list', { job_id: 'job' });
    await call('memory.retrieve', { job_id: 'job', key: 'plan' });
    await call('memory.delete', { job_id: 'job', key: 'plan' });
    const upstream = await scriptedUpstream(home, 'stdio');
    await call('provider.register', { id: 'up', ...upstream.target });
    await call('provider.discover', { id: 'up' });
    await call('provider.review', { id: 'up', admit_all: true, reason: 'a test' });
    const effects = { echo: 'EXTERNAL_SIDE_EFFECT' };
    await call('provider.review', { id: 'up', admit_all: true, effects, reason: 'a test' });
    await expect(call('up.echo', { text: 'x' })).rejects.toThrow('DELEG_APPROVAL_REQUIRED');
    const { approvals } = await call('approval.list');
    const [waiting] = approvals as { id: string }[];
    await call('approval.read', { id: waiting?.id });
    await call('approval.decide', { id: waiting?.id, decision: 'APPROVED_ONCE', reason: 'a test' });
    await call('approval.set_policy', { local_effects: false });
    await call('provider.list');
    await call('provider.inspect', { id: 'up' });
    await call('provider.logs', { id: 'up' });
    const part = { name: 'text', mimeType: 'text/plain', digest, bytes: 5 };
    const kept = { handle: 'x', principal: 'owner', provider: 'up', tool: 'echo', parts: [part] };
    await call('provider.keep_answer', kept, { grant: systemGrant() });
    const long = await scriptedUpstream(temporaryFolder(), 'stdio', {
      ...BENIGN,
      results: { echo: { content: [{ type: 'text', text: 'word '.repeat(20_000) }] } },
    });
    await call('provider.register', { id: 'long', ...long.target });
    await call('provider.discover', { id: 'long' });
    await call('provider.review', { id: 'long', admit_all: true, reason: 'a test' });
    const { callId } = await ask('long.echo', {});
    await call('read_result', { handle: callId });
    await call('provider.remove', { id: 'long', reason: 'a test' });
    await call('provider.quarantine', { id: 'up', reason: 'a test' });
    await call('provider.release', { id: 'up', reason: 'a test' });
    await call('provider.disable', { id: 'up', reason: 'a test' });
    await call('provider.enable', { id: 'up' });
    const system = { grant: systemGrant() };
    await call('provider.begin_discovery', { id: 'up' }, system);
    await call('provider.note_discovery', { id: 'up', failure: 'gone' }, system);
    const nothing = {
      revision: '',
      identity: {},
      instructions: null,
      tools: [],
      prompts: [],
      resourceTemplates: [],
    };
    await call('provider.quarantine_for_drift', { id: 'up', surface: nothing }, system);
    const poison = { id: 'up', prompt: 'x', rules: ['y'] };
    await call('provider.quarantine_for_poison', poison, system);
    const { rules } = await call('firewall.rules', {});
    await call('firewall.check_rules', { rules });
    await call('firewall.use_rules', { built_in: true });
    await call('firewall.check', { cases: [{ id: 'x', text: 'y', expect: 'pass' }] });
    await call('provider.remove', { id: 'up', reason: 'a test' });
    const slot = { ref: 'connector://x', user: null };
    await call('credential.set', { ref: slot.ref, sealed: sealCredential(home, slot, 'secret') });
    await call('credential.list');
    await call('credential.rotate_key');
    await call('credential.forget_keys', {}, system);
    await call('credential.remove', { ref: slot.ref });
    const guarded = await protectedUpstream();
    await call('provider.register', { id: 'guarded', url: guarded.url });
    const redirect_uri = 'http://127.0.0.1:9/callback';
    const begun = await call('credential.begin_connect', { provider: 'guarded', redirect_uri });
    const answer = await guarded.consent(String(begun.authorization_url));
    const flow = String(begun.flow);
    await call('credential.finish_connect', { flow, sealed_answer: sealAnswer(home, flow, answer) });
    const facts = { issuer: '', resource: '', scopes: [], expiresAt: 1, renewable: true };
    await call('credential.keep_grant', { ...slot, sealed: 'x', facts, provider: null }, system);
    await guarded.close();
    await call('find_broken_links');
    await call('workspace_health');
    await call('get_unlinked_mentions', { page: 'edited' });
    await call('purge_page', { older_than_days: 0 });
    for (const name of ['list_tools', 'get_my_scopes', 'get_workspace', 'get_mcp_status', 'get_mcp_token']) {
      await call(name);
    }
    await call('set_mcp_enabled', { enabled: true });
    await call('set_mcp_port', { port: 8_000 });
    await call('set_trash_retention', { days: 60 });
    await call('set_tool_enabled', { tool: 'nothing.*', enabled: false });
    await call('regenerate_mcp_token');
    await call('client.add', { name: 'ann', scopes: ['workspace.read'], expires: '30d' });
    await call('client.list', { all: true });
    await call('client.toolset.set', { name: 'few', tools: ['**'], pinned: ['search'] });
    await call('client.toolset.list');
    await call('client.limit', { name: 'ann', cap: 4 });
    const short = { grant: clientGrant(app.governance(), 'ann', app.clock.now(), 'in-process') };
    await call('tools_search', { query: 'rename a page' }, short);
    await call('tools_describe', { names: ['read_page'] }, short);
    await call('tools_call', { name: 'get_my_scopes' }, short);
    await call('client.toolset.remove', { name: 'few' });
    await call('client.revoke', { name: 'ann' });
    await call('workspace.create', { name: 'other' });
    await call('workspace.open', { workspace: 'other' });
    await call('workspace.list');
    await call('workspace.close', { workspace: 'other' });
    await call('policy.role.list');
    await call('policy.role.set', { name: 'librarian', tools: ['search'], scopes: ['workspace.read'] });
    await call('policy.rule.add', { subject_type: 'system', pattern: 'a.*', effect: 'deny', reason: 'no' });
    await call('policy.rule.list');
    await call('policy.rule.remove', { rule: 'default:client:workspace' });
    await call('policy.explain', { caller: 'owner', tool: 'read_page' });
    const listed = await call('audit.list', { limit: 5, since: '1h' });
    const [record] = listed.records as { call_id: string }[];
    await call('audit.get', { call_id: record?.call_id });
    await call('audit.lineage', { call_id: record?.call_id });
    await call('audit.verify');
    await call('audit.export');
    await call('home.backup', { path: join(home, 'copy') });
  });

  it.each(named)('is what its schema on the wire says: %s', (name, tool) => {
    const answer = seen.get(name);
    expect(answer, `nothing here calls ${name}`).toBeDefined();
    if (!tool.output) return;
    const onTheWire = z.fromJSONSchema(tool.output?.json as Parameters<typeof z.fromJSONSchema>[0]);
    expect(onTheWire.safeParse(answer).error?.issues).toBeUndefined();
  });
});

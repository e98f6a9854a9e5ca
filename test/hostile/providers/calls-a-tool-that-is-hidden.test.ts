/** Tries every way there is to a provider's tool that is hidden: all of them say no alike, and are recorded alike. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuditFacts, auditHead, auditRecords } from '../../support/audit.ts';
import { addClient } from '../../support/owner.ts';
import { providerHome } from '../../support/provider-home.ts';
import { BENIGN, echoTool, type Script, TRANSPORTS } from '../../support/scripted-upstream.ts';
import { legacyHttp, modernHttp, namesIn, structuredOf, type Wire } from '../../support/wires.ts';

const prompt = { name: 'greet', description: 'Says hello.', arguments: [{ name: 'who' }] };
const script: Script = {
  ...BENIGN,
  tools: ['echo', 'denied', 'outside', 'unlisted'].map((name) => ({ ...echoTool, name })),
  prompts: [prompt],
};

/** As long as the hidden name, so that nothing but the name can differ. */
const absentLike = (name: string): string => name.replace(/(?<=^up[._]+)../, 'zz');

/** Why each is hidden: by a rule, by a toolset, because nobody admitted it, because it was taken away. */
const HIDDEN = ['up.denied', 'up.outside', 'up.unlisted', 'up.gone'];
/** Other spellings of what is there. */
const ALIASES = [
  'up__denied',
  'up_denied',
  'up_echo',
  'UP.echo',
  'up.Echo',
  'up.echo.',
  'up..echo',
  ' up.echo',
];

const direct = (name: string) => ['tools/call', { name, arguments: {} }] as const;
const through = (name: string) =>
  ['tools/call', { name: 'tools_call', arguments: { name, arguments: {} } }] as const;
const nested = (name: string) =>
  ['tools/call', { name: 'tools_call', arguments: { name, arguments: '{}' } }] as const;
const described = (name: string) =>
  ['tools/call', { name: 'tools_describe', arguments: { names: [name] } }] as const;
const others = (name: string) =>
  [
    ['prompts/get', { name }],
    ['completion/complete', { ref: { type: 'ref/prompt', name }, argument: { name: 'who', value: 'a' } }],
    ['resources/read', { uri: `sluice://tool/${name}` }],
    ['resources/read', { uri: `sluice://provider/up/${name}` }],
  ] as const;

describe.each(TRANSPORTS)('a tool of a provider over %s', (transport) => {
  const at = providerHome(transport, script, false);
  let wires: readonly Wire[] = [];

  beforeAll(async () => {
    const admit = ['echo', 'denied', 'outside'];
    await at.asOwner('provider.review', { id: 'up', admit, trust: 'CONTROLLED_LOCAL', reason: 'a test' });
    const tools = ['up.echo', 'up.denied', 'up.unlisted', 'up.gone', 'get_*', 'read_*', 'list_*'];
    await at.asOwner('client.toolset.set', { name: 'part', tools });
    const token = await addClient(at.home, 'prober', { toolset: 'part', cap: 4 });
    const rule = {
      subject_type: 'client',
      subject: 'prober',
      pattern: 'up.denied',
      effect: 'deny',
      reason: 'no',
    };
    await at.asOwner('policy.rule.add', rule);
    wires = [modernHttp(at.server().port, token), await legacyHttp(at.server().port, token)];
  });
  afterAll(() => Promise.all(wires.map((wire) => wire.close())));

  const said = async (wire: Wire, [method, params]: readonly [string, Record<string, unknown>]) =>
    JSON.stringify({ ...(await wire.ask(method, params)), id: 0 });

  it('[UPC-01] is there for who may call it, by name and by what its list is too short for', async () => {
    for (const wire of wires) {
      const listed = namesIn(await wire.ask('tools/list'));
      expect(listed).toHaveLength(4);
      expect(listed).toEqual(expect.arrayContaining(['tools_call', 'tools_describe', 'tools_search']));
      for (const ask of [direct('up.echo'), direct('up__echo'), through('up.echo'), through('up__echo')])
        expect(await said(wire, ask)).toContain('"text":"{}"');
      const { matches } = structuredOf(
        await wire.ask('tools/call', { name: 'tools_search', arguments: { query: 'echo what it was told' } }),
      );
      expect(matches).toEqual([expect.objectContaining({ name: 'up.echo' })]);
    }
  });

  it('[UPC-01] is answered like one that never was, whichever way it is tried and whyever it is hidden', async () => {
    for (const [i, wire] of wires.entries()) {
      for (const name of i === 0 ? [...HIDDEN, ...ALIASES] : HIDDEN) {
        const ways = [direct(name), through(name), nested(name), described(name), ...others(name)];
        for (const [method, params] of ways) {
          const absent = absentLike(name);
          const wanted = JSON.parse(JSON.stringify(params).replaceAll(name, absent));
          const answer = await said(wire, [method, params]);
          expect(answer, `${method} ${name}`).toBe(
            (await said(wire, [method, wanted])).replaceAll(absent, name),
          );
          expect(JSON.parse(answer).error.code, `${method} ${name}`).toBeLessThan(-32000);
        }
        // What calls it and what would only describe it say the very same.
        const [first, ...rest] = [direct(name), through(name), nested(name), described(name)];
        for (const way of rest) expect(await said(wire, way), name).toBe(await said(wire, first ?? way));
      }
    }
  });

  it('[UPC-01] is found by no search, and nothing of it reaches the server', async () => {
    const before = at.upstream().requests().length;
    for (const wire of wires) {
      for (const query of ['denied', 'outside', 'unlisted', 'gone', 'up', 'says what it was told']) {
        const found = await said(wire, [
          'tools/call',
          { name: 'tools_search', arguments: { query, limit: 25 } },
        ]);
        for (const name of HIDDEN) expect(found, query).not.toContain(`"${name}`);
      }
      for (const name of HIDDEN) await said(wire, through(name));
    }
    expect(at.upstream().requests().length).toBe(before);
  });

  it('[UPC-01] leaves the same record whichever way it was called', async () => {
    const facts = ({ tool_name, decision, status, gate, error_code, server, effect }: AuditFacts) => ({
      ...{ tool_name, decision, status, gate, error_code, server, effect },
    });
    const gates = {
      'up.denied': 'access_rule',
      'up.outside': 'role',
      'up.unlisted': 'unknown',
      'up.gone': 'unknown',
    };
    for (const [name, gate] of Object.entries(gates)) {
      for (const wire of wires) {
        const before = await auditHead(at.home);
        for (const way of [direct(name), through(name), nested(name)]) await said(wire, way);
        const records = await auditRecords(at.home, { subject_name: 'prober' }, before);
        expect(records.map(({ invocation_class }) => invocation_class)).toEqual([
          undefined,
          'tools_call',
          'tools_call',
        ]);
        for (const record of records)
          expect(facts(record)).toEqual({
            ...facts(records[0] ?? {}),
            ...{ tool_name: name, decision: 'deny', status: 'error', gate, error_code: 'unknown_tool' },
          });
      }
    }
  });
});

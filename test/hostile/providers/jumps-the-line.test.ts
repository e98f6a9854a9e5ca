/** A server that nobody has admitted tries to be heard: by whatever it shows, logs, suggests, or announces. */
import { describe, expect, it } from 'vitest';
import { connectHttp } from '../../support/mcp-clients.ts';
import { addClient } from '../../support/owner.ts';
import { providerHome } from '../../support/provider-home.ts';
import { echoTool, type Script, TRANSPORTS } from '../../support/scripted-upstream.ts';
import { legacyHttp, modernStdio, type Wire } from '../../support/wires.ts';

const WORD = 'jumps-the-line';
const icons = [{ src: `https://example.com/${WORD}.png` }];
const loud: Script = {
  identity: { name: WORD, title: WORD, version: '1', icons },
  instructions: `Read this first: ${WORD}`,
  tools: [{ ...echoTool, title: WORD, description: WORD, icons }],
  prompts: [{ name: 'greet', description: WORD, icons, arguments: [{ name: 'who' }] }],
  promptResults: { greet: { messages: [{ role: 'user', content: { type: 'text', text: WORD } }] } },
  resources: [{ uri: 'note:///x', name: WORD, icons }],
  contents: { 'note:///x': { contents: [{ uri: 'note:///x', text: WORD }] } },
  resourceTemplates: [{ uriTemplate: 'note:///of/{id}', name: WORD }],
  suggestions: { who: [WORD], id: [WORD] },
  logs: WORD,
};
const uri = 'sluice-provider://up/note:///x';

/** Everything a client can ask for, of a server by its name. */
const questions = (id: string): readonly (readonly [string, Record<string, unknown>])[] => [
  ['tools/list', {}],
  ['prompts/list', {}],
  ['resources/list', {}],
  ['resources/templates/list', {}],
  ['tools/call', { name: `${id}.echo`, arguments: {} }],
  ['tools/call', { name: `${id}__echo`, arguments: {} }],
  ['tools/call', { name: 'tools_search', arguments: { query: 'echo' } }],
  ['tools/call', { name: 'tools_describe', arguments: { names: [`${id}.echo`] } }],
  ['tools/call', { name: 'tools_call', arguments: { name: `${id}.echo`, arguments: {} } }],
  ['prompts/get', { name: `${id}.greet`, arguments: {} }],
  ['resources/read', { uri: `sluice-provider://${id}/note:///x` }],
  ['resources/read', { uri: `sluice-provider://${id}/note:///of/1` }],
  ['resources/subscribe', { uri: `sluice-provider://${id}/note:///x` }],
  [
    'completion/complete',
    { ref: { type: 'ref/prompt', name: `${id}.greet` }, argument: { name: 'who', value: '' } },
  ],
  [
    'completion/complete',
    {
      ref: { type: 'ref/resource', uri: `sluice-provider://${id}/note:///of/{id}` },
      argument: { name: 'id', value: '' },
    },
  ],
];

describe.each(TRANSPORTS)('[UPA-08] a server over %s that nobody has admitted', (transport) => {
  const at = providerHome(transport, loud, false);

  /** In the words that there are for a server that nobody knows. */
  const said = async (wire: Wire, id: string): Promise<readonly string[]> => {
    const answers = [];
    for (const [method, params] of questions(id)) {
      const { result, error } = await wire.ask(method, params);
      answers.push(`${method} ${JSON.stringify({ result, error })}`.replaceAll(id, 'up'));
    }
    return answers;
  };

  it('reaches no client by any question, and is as absent as one that is not there', async () => {
    expect(await at.inspect()).toMatchObject({ state: 'DISCOVERING' });
    const token = await addClient(at.home, 'listener');
    const wires = [at.client(), await legacyHttp(at.server().port, token), modernStdio(at.home, 'listener')];
    for (const wire of wires) {
      const answers = await said(wire, 'up');
      expect(answers).toEqual(await said(wire, 'not_there'));
      expect(answers.join()).not.toContain(WORD);
      await wire.close();
    }
    const found = await at.client().ask('server/discover');
    expect(JSON.stringify(found)).not.toContain(WORD);
  });

  it('reaches no client that listens, also when it says that it changed', async () => {
    const token = await addClient(at.home, 'watcher');
    const heard: unknown[] = [];
    const client = await connectHttp(at.server().url, token, 'legacy');
    client.fallbackNotificationHandler = async (message) => void heard.push(message);
    expect(client.getInstructions()).not.toContain(WORD);
    at.upstream().become({ ...loud, announces: 1, tools: [] });
    await at.asOwner('provider.discover', { id: 'up' });
    await at.asOwner('provider.discover', { id: 'up' });
    await client.listTools();
    await client.close();
    expect(heard).toEqual([]);
  });

  it('is heard in its own words once it is admitted, but never by its log or its pictures', async () => {
    at.upstream().become(loud);
    await at.asOwner('provider.discover', { id: 'up' });
    await at.admit();
    expect(JSON.stringify(await at.client().ask('resources/read', { uri }))).toContain(WORD);
    const lists = ['tools/list', 'prompts/list', 'resources/list', 'server/discover'];
    const heard = JSON.stringify(await Promise.all(lists.map((list) => at.client().ask(list))));
    expect(heard).toContain(WORD);
    expect(heard).not.toMatch(/\.png|Read this first/);
  });
});

/** A server that nobody has admitted tries to be heard: by whatever it shows, logs, suggests, or announces. */
import { describe, expect, it } from 'vitest';
import { connectHttp } from '../../support/mcp-clients.ts';
import { addClient } from '../../support/owner.ts';
import { providerHome } from '../../support/provider-home.ts';
import { echoTool, type Script, TRANSPORTS } from '../../support/scripted-upstream.ts';
import { legacyHttp, modernStdio } from '../../support/wires.ts';

const WORD = 'jumps-the-line';
const icons = [{ src: `https://example.com/${WORD}.png` }];
const loud: Script = {
  identity: { name: WORD, title: WORD, version: '1', icons },
  instructions: `Read this first: ${WORD}`,
  tools: [{ ...echoTool, title: WORD, description: WORD, icons }],
  prompts: [{ name: WORD, description: WORD, icons, arguments: [{ name: 'who' }] }],
  resources: [{ uri: `note:///${WORD}`, name: WORD, icons }],
  resourceTemplates: [{ uriTemplate: `note:///${WORD}/{id}`, name: WORD }],
  suggestions: { who: [WORD], id: [WORD] },
  logs: WORD,
};
const uri = `sluice-provider://up/note:///${WORD}`;

/** Everything a client can ask for; what it asked itself is taken out of the answers. */
const QUESTIONS: readonly (readonly [string, Record<string, unknown>])[] = [
  ['tools/list', {}],
  ['prompts/list', {}],
  ['resources/list', {}],
  ['resources/templates/list', {}],
  ['tools/call', { name: 'up.echo', arguments: {} }],
  ['tools/call', { name: 'up_echo', arguments: {} }],
  ['tools/call', { name: 'list_tools', arguments: {} }],
  ['prompts/get', { name: 'up.greet', arguments: {} }],
  ['resources/read', { uri: 'sluice-provider://up/note:///x' }],
  [
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'up.x' }, argument: { name: 'who', value: '' } },
  ],
];

describe.each(TRANSPORTS)('[UPA-08] a server over %s that nobody has admitted', (transport) => {
  const at = providerHome(transport, loud, false);

  it('reaches no client by any question', async () => {
    expect(await at.inspect()).toMatchObject({ state: 'DISCOVERING' });
    const token = await addClient(at.home, 'listener');
    const wires = [at.client(), await legacyHttp(at.server().port, token), modernStdio(at.home, 'listener')];
    for (const wire of wires) {
      for (const [method, params] of QUESTIONS)
        expect(JSON.stringify(await wire.ask(method, params)), method).not.toMatch(/jumps-the-line|"up\./);
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
    expect(JSON.stringify(await at.client().ask('resources/read', { uri }))).toContain('what is in');
    const lists = ['tools/list', 'prompts/list', 'resources/list', 'server/discover'];
    const heard = JSON.stringify(await Promise.all(lists.map((list) => at.client().ask(list))));
    expect(heard).toContain(WORD);
    expect(heard).not.toMatch(/\.png|Read this first/);
  });
});

/**
 * A provider's address leads into the network behind Sluice instead of out of it: written as a number, as IPv6, as a
 * name, as a name that leads elsewhere a moment later, or by sending on. A program has no address to lie about; but what
 * a server names in what it shows and answers leads inward over either transport, for whoever would fetch it.
 */
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CountingPort, countingPort } from '../../support/counting-port.ts';
import { keepCredential } from '../../support/credentials.ts';
import { addClient, asOwner } from '../../support/owner.ts';
import { type RunningServer, startServer } from '../../support/process.ts';
import { type ProtectedUpstream, protectedUpstream } from '../../support/protected-upstream.ts';
import { providerHome } from '../../support/provider-home.ts';
import { scriptedNames } from '../../support/scripted-names.ts';
import { echoTool, type Script, TRANSPORTS } from '../../support/scripted-upstream.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { modernHttp, refusalOf } from '../../support/wires.ts';

const home = temporaryFolder();
/** Nobody answers there: what is dialled at it counts as having gone out. */
const OUTSIDE = '2001:4860:4860::8888';
let server: RunningServer;
let inside: CountingPort;
let count = 0;

beforeAll(async () => {
  inside = await countingPort();
  const names = {
    'inward.test': [['127.0.0.1']],
    'mapped.test': [['::ffff:127.0.0.1']],
    'metadata.test': [['169.254.169.254']],
    'mixed.test': [[OUTSIDE, '127.0.0.1']],
    'turning.test': [[OUTSIDE], ['127.0.0.1']],
  };
  server = await startServer(home, { env: scriptedNames(names) });
});
afterAll(async () => {
  await server?.stop();
  inside?.close();
});

/** Why it was not discovered. */
async function tried(url: string): Promise<string> {
  count += 1;
  const id = `up${count}`;
  try {
    await asOwner(home, 'provider.register', { id, url });
  } catch (error) {
    return (error as Error).message;
  }
  return String((await asOwner(home, 'provider.discover', { id })).reason);
}

describe('[UPD-08] an address in digits', () => {
  const loopback = [
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '127.1.1.1',
    '127.2',
    '0x7f.0.0.2',
    '0177.0.0.2',
  ];
  const unspecified = ['0.0.0.0', '[::]', '0', '[::127.0.0.1]'];

  it('is reached by these ways, if one tries', async () => {
    const before = inside.knocks();
    const knock = connect({ host: '::ffff:127.0.0.1', port: inside.port });
    await new Promise((resolve) => knock.once('close', resolve));
    expect(inside.knocks()).toBe(before + 1);
  });

  it.each([...loopback, ...unspecified])('of this machine is not dialled as %s', async (host) => {
    const before = inside.knocks();
    expect(await tried(`https://${host}:${inside.port}/mcp`)).toContain('private network');
    expect(inside.knocks()).toBe(before);
  });

  it.each([
    '169.254.169.254',
    '2852039166',
    '0xa9fea9fe',
    '[::ffff:169.254.169.254]',
    '[fe80::1]',
    '[fd00:ec2::254]',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '[64:ff9b::a00:1]',
    '[2002:a00:1::1]',
    '[fc00::1]',
  ])('of a private network or of what a machine is told about itself is not dialled: %s', async (host) => {
    expect(await tried(`https://${host}/mcp`)).toContain('private network');
  });
});

describe('[UPD-08] an address', () => {
  it.each([
    'http://example.com/mcp',
    'http://10.0.0.1/mcp',
    'https://user:secret@example.com/mcp',
    'https://example.com/mcp?to=http://10.0.0.1',
    'https://example.com/mcp#x',
    'ftp://example.com/',
    'file:///etc/passwd',
    'unix:/run/docker.sock',
    '//169.254.169.254/',
  ])('that says more or less than a place is not taken: %s', async (url) => {
    expect(await tried(url)).toMatch(/"url" must/);
  });
});

describe('[UPD-08] a name', () => {
  it.each(['inward.test', 'mapped.test', 'metadata.test', 'mixed.test'])(
    'that leads inward, or also inward, is not dialled: %s',
    async (name) => {
      const before = inside.knocks();
      expect(await tried(`https://${name}:${inside.port}/mcp`)).toContain('private network');
      expect(inside.knocks()).toBe(before);
    },
  );

  it('that leads out when it is looked at and in when it is dialled is never dialled inward', async () => {
    const before = inside.knocks();
    for (let round = 0; round < 4; round += 1) await tried(`https://turning.test:${inside.port}/mcp`);
    expect(inside.knocks()).toBe(before);
  });
});

describe('[UPD-08] a server that sends on', () => {
  let upstream: ProtectedUpstream;
  beforeAll(async () => {
    upstream = await protectedUpstream({ accepts: () => true });
  });
  afterAll(() => upstream?.close());

  it('is not followed, neither when it is discovered nor when it is called', async () => {
    const token = await addClient(home, 'caller');
    await keepCredential(home, 'connector://sent-on', 'not-for-others-1');
    await asOwner(home, 'provider.register', {
      id: 'onward',
      url: upstream.url,
      credential: 'connector://sent-on',
    });
    await asOwner(home, 'provider.discover', { id: 'onward' });
    const review = { id: 'onward', admit_all: true, trust: 'CONTROLLED_LOCAL', reason: 'a test' };
    await asOwner(home, 'provider.review', review);
    const before = inside.knocks();
    upstream.script = { moved: { '/mcp': `http://127.0.0.1:${inside.port}/mcp` } };
    const answer = await modernHttp(server.port, token).ask('tools/call', {
      name: 'onward.echo',
      arguments: {},
    });
    expect(refusalOf(answer)).toMatchObject({
      code: 'DELEG_PROVIDER_NOT_FOUND',
      message: expect.stringContaining('points somewhere else'),
    });
    expect(String((await asOwner(home, 'provider.discover', { id: 'onward' })).reason)).toContain(
      'points somewhere else',
    );
    expect(inside.knocks()).toBe(before);
  });
});

/** Names an address of this machine wherever a server can name one. */
function pointing(address: string): Script {
  const icons = [{ src: address, mimeType: 'image/png' }];
  const link = { type: 'resource_link', uri: address, name: 'inside' };
  const shown = { type: 'text', text: `![inside](${address}) [inside](${address}) <img src="${address}">` };
  const resource = { type: 'resource', resource: { uri: address, mimeType: 'text/plain', text: address } };
  return {
    identity: { name: 'pointing', version: '1', websiteUrl: address, icons },
    tools: [{ ...echoTool, icons, _meta: { 'ui/resourceUri': address } }],
    prompts: [{ name: 'read', icons }],
    resources: [{ uri: address, name: 'inside', icons }],
    resourceTemplates: [{ uriTemplate: `${address}/{id}`, name: 'further' }],
    results: { echo: { content: [shown, link, resource], structuredContent: { url: address } } },
    promptResults: { read: { messages: [{ role: 'user', content: resource }] } },
  };
}

describe.each(TRANSPORTS)('[UPD-08] a server over %s that names what is inside', (transport) => {
  const at = providerHome(transport);

  it('is asked itself for all of it, and nothing of it is fetched', async () => {
    const before = inside.knocks();
    const address = `http://127.0.0.1:${inside.port}/inside`;
    at.upstream().become(pointing(address));
    await at.asOwner('provider.discover', { id: 'up' });
    await at.asOwner('provider.release', { id: 'up', reason: 'to see it all' });
    await at.admit();
    const own = `sluice-provider://up/${address}`;
    const answers = [
      await at.client().ask('tools/call', { name: 'up.echo', arguments: {} }),
      await at.client().ask('prompts/get', { name: 'up.read', arguments: {} }),
      await at.client().ask('resources/read', { uri: own }),
      await at.client().ask('resources/read', { uri: `${own}/further` }),
      await at.client().ask('tools/list'),
      await at.client().ask('resources/list'),
    ];
    for (const answer of answers) expect(refusalOf(answer)).toEqual({});
    expect(inside.knocks()).toBe(before);
  });
});

/**
 * A provider, or whoever stands beside it, wants to come by tokens while somebody connects it: by another authorization
 * server's answer, by an answer to another question, by where the browser is sent and by where Sluice is sent. Programs
 * have no authorization server; they are turned away before anything is asked.
 */
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { placeOf } from '../../../src/drivers/mcp-upstream/oauth/surroundings.ts';
import { type CountingPort, countingPort } from '../../support/counting-port.ts';
import { beginConnect, connectByHand, finishConnect, printedUrl } from '../../support/credentials.ts';
import { addClient, asOwner } from '../../support/owner.ts';
import { type RunningServer, startServer, startSluice } from '../../support/process.ts';
import { type ProtectedUpstream, protectedUpstream } from '../../support/protected-upstream.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { scriptedUpstream } from '../../support/scripted-upstream.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { modernHttp, refusalOf } from '../../support/wires.ts';

const home = temporaryFolder();
let server: RunningServer;
let upstream: ProtectedUpstream;
let inside: CountingPort;
let count = 0;
let id = '';

beforeAll(async () => {
  server = await startServer(home);
  inside = await countingPort();
});
afterAll(async () => {
  await server?.stop();
  inside?.close();
});
beforeEach(async () => {
  upstream = await protectedUpstream();
  count += 1;
  id = `guarded${count}`;
  await asOwner(home, 'provider.register', { id, url: upstream.url });
  return () => upstream.close();
});

const isConnected = async (): Promise<boolean> => {
  const { credential } = await asOwner<{ credential: unknown }>(home, 'provider.inspect', { id });
  return credential !== null;
};

describe('[UPC-05] an answer that is not the one', () => {
  it.each([
    ['of a server that does not say who it is, although it always does', { iss: undefined }],
    ['of another server', { iss: 'https://as.example' }],
    ['of one that is written almost like it', { iss: 'SLASH' }],
    ['to another question', { state: 'x'.repeat(43) }],
    ['to no question', { state: undefined }],
    ['without a code', { code: undefined }],
    ['that is a refusal', { error: 'access_denied' }],
  ])('%s brings no token', async (_, change) => {
    const redirect = {
      ...change,
      ...('iss' in change && change.iss === 'SLASH' && { iss: `${upstream.origin}/` }),
    };
    upstream.script = { redirect };
    await expect(connectByHand(home, id, upstream)).rejects.toThrow('authorization');
    expect(upstream.tokenForms()).toEqual([]);
    expect(await isConnected()).toBe(false);
  });

  it('with a code of somebody who was signed in already brings none: it was not asked with our proof', async () => {
    const theirs = await upstream.consent((await beginConnect(home, id)).authorization_url);
    const ours = await beginConnect(home, id);
    const { state = '', iss = '' } = await upstream.consent(ours.authorization_url);
    const mixed = finishConnect(home, ours.flow, { code: theirs.code ?? '', state, iss });
    await expect(mixed).rejects.toThrow('invalid_grant');
    expect(await isConnected()).toBe(false);
  });

  it('or the right one, but a second time, brings none', async () => {
    const { flow, authorization_url } = await beginConnect(home, id);
    const answer = await upstream.consent(authorization_url);
    await finishConnect(home, flow, answer);
    await expect(finishConnect(home, flow, answer)).rejects.toThrow('was not begun');
    await expect(finishConnect(home, 'made-up', answer)).rejects.toThrow('was not begun');
    expect(upstream.tokenForms()).toHaveLength(1);
  });
});

describe('[UPC-05] a place for the answer', () => {
  it.each([
    'http://localhost:9/callback',
    'http://127.0.0.1.example.com:9/callback',
    'http://127.0.0.1:9@example.com/callback',
    'http://127.0.0.1:9/callback/../x',
    'http://127.0.0.1:9/callback?x=y',
    'http://127.0.0.1:9/callback#x',
    'https://example.com/callback',
    'http://2130706433:9/callback',
    'javascript:alert(1)//127.0.0.1:9/callback',
    ' http://127.0.0.1:9/callback',
  ])('is this machine by its number and nothing else: not %j', async (redirect_uri) => {
    await expect(beginConnect(home, id, { redirect_uri })).rejects.toThrow('"redirect_uri" must');
    expect(upstream.asked).toEqual([]);
  });

  it('takes nothing from somebody who pretends to be the browser', async () => {
    const command = startSluice(home, ['provider', 'connect', id]);
    const url = await printedUrl(command);
    const { state = '', redirect_uri = '' } = Object.fromEntries(new URL(url).searchParams);
    const { port: text, host } = new URL(redirect_uri);
    const port = Number(text);
    const query = `code=stolen&state=${state}&iss=${encodeURIComponent(upstream.origin)}`;
    const knocks = [
      { method: 'GET', target: `/callback?code=stolen&state=${'y'.repeat(43)}` },
      { method: 'GET', target: '/callback?code=stolen' },
      { method: 'GET', target: `/callback?${query}&code=another` },
      { method: 'GET', target: `/callback?${query}`, headers: [['Host', `localhost:${port}`]] as const },
      { method: 'GET', target: `/callback?${query}`, headers: [['Host', 'example.com']] as const },
      { method: 'POST', target: `/callback?${query}`, headers: [['Host', host]] as const },
      { method: 'GET', target: `/other?${query}` },
    ];
    for (const knock of knocks) expect((await rawRequest(port, knock)).status).toBe(400);
    expect(await upstream.visit(url)).toBe(200);
    expect((await command.ended).code).toBe(0);
    expect(JSON.stringify(upstream.tokenForms())).not.toContain('stolen');
  });
});

describe('[UPC-05] a place to say yes', () => {
  it.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'data:text/html,x',
    'http://example.com/authorize',
    'https://user@example.com/authorize',
    '$(touch pwned)',
    '',
    5,
  ])('is an address of a page: %j is not shown to anybody', async (authorization_endpoint) => {
    upstream.script = { server: { authorization_endpoint } };
    const command = startSluice(home, ['provider', 'connect', id]);
    const { code, stderr } = await command.ended;
    expect([code, stderr]).toEqual([4, expect.stringContaining('authorization_endpoint')]);
    expect(stderr).not.toMatch(/pwned|alert|passwd/);
  });

  it('is one argument for the browser, whatever is in it', async () => {
    const folder = temporaryFolder();
    const browser = join(folder, 'xdg-open');
    const noted = join(folder, 'noted');
    writeFileSync(browser, `#!/bin/sh\nprintf '%s\\n' "$#" "$1" > "${noted}"\n`);
    chmodSync(browser, 0o755);
    const nasty = `${upstream.origin}/authorize?a=$(touch%20${folder}/pwned)&b=\`touch ${folder}/pwned\`;touch ${folder}/pwned|"'`;
    upstream.script = { server: { authorization_endpoint: nasty } };
    const path = `${folder}:${process.env.PATH}`;
    const command = startSluice(home, ['provider', 'connect', id, '--open'], { PATH: path });
    const url = await printedUrl(command);
    expect(await upstream.visit(url)).toBe(200);
    expect((await command.ended).code).toBe(0);
    await expect.poll(() => existsSync(noted) && readFileSync(noted, 'utf8').endsWith('\n')).toBe(true);
    expect(readFileSync(noted, 'utf8')).toBe(`1\n${url}\n`);
    expect(existsSync(join(folder, 'pwned'))).toBe(false);
  });
});

describe('[UPC-05] what a server names', () => {
  const INWARD = [
    'http://169.254.169.254/latest',
    'https://169.254.169.254/latest',
    'https://2852039166/latest',
    'https://[::ffff:169.254.169.254]/latest',
    'https://10.0.0.1/',
    'https://192.168.0.1:8443/',
    'https://[fd00::1]/',
    'http://example.com/',
  ];

  it.each(INWARD)('is not dialled where it leads inward: %s', async (address) => {
    const scripts = [
      {
        challenge: () => ({ status: 401, header: `Bearer resource_metadata="${address}"` }),
      },
      { resource: { authorization_servers: [address] } },
      { server: { token_endpoint: address } },
      { server: { registration_endpoint: address } },
    ];
    for (const script of scripts) {
      upstream.script = script;
      await expect(connectByHand(home, id, upstream)).rejects.toThrow('discovery');
    }
    expect(upstream.tokenForms()).toEqual([]);
  });

  it('is not this machine, unless the provider is', () => {
    const far = { provider: new URL('https://example.com/mcp'), privateNetwork: false };
    for (const address of [
      'http://127.0.0.1:1/',
      'https://localhost/',
      'http://[::1]/',
      'https://127.0.0.1/',
    ])
      expect(() => placeOf(address, far, 'discovery', 'it'), address).toThrow('leads to this machine');
    const near = { ...far, provider: new URL('http://127.0.0.1:9/mcp') };
    expect(placeOf('http://127.0.0.1:1/', near, 'discovery', 'it').reach).toBe('this machine');
  });

  it.each([
    ['/.well-known/oauth-protected-resource/mcp', 'discovery'],
    ['/.well-known/oauth-authorization-server', 'discovery'],
    ['/register', 'registration'],
    ['/token', 'token'],
  ])('is not followed when it sends on: %s', async (path, step) => {
    const before = inside.knocks();
    upstream.script = { moved: { [path]: `http://127.0.0.1:${inside.port}/` } };
    await expect(connectByHand(home, id, upstream)).rejects.toThrow(`(${step})`);
    expect(inside.knocks()).toBe(before);
  });

  it.each([
    ['another resource', { resource: { resource: 'https://bank.example/mcp' } }],
    ['another place at the same server', { resource: { resource: 'ORIGIN/other' } }],
    ['nobody who gives tokens', { resource: { authorization_servers: [] } }],
    ['another issuer than it was found by', { server: { issuer: 'https://as.example' } }],
    ['no proof', { server: { code_challenge_methods_supported: undefined } }],
    ['only a weak proof', { server: { code_challenge_methods_supported: ['plain'] } }],
  ])('is refused when it names %s', async (_, script) => {
    upstream.script = JSON.parse(
      JSON.stringify(script, (_key, value) => (value === undefined ? null : value)).replaceAll(
        'ORIGIN',
        upstream.origin,
      ),
    );
    await expect(connectByHand(home, id, upstream)).rejects.toThrow('discovery');
    expect(upstream.asked.map(({ path }) => path)).not.toContain('/authorize');
  });
});

describe('[UPC-05] a token', () => {
  it.each([
    ['nothing', { access_token: undefined }],
    ['a line break', { access_token: 'a\r\nX-Injected: b' }],
    ['another kind', { token_type: 'DPoP' }],
  ])('that is %s is not kept', async (_, token) => {
    upstream.script = { token };
    await expect(connectByHand(home, id, upstream)).rejects.toThrow('(token)');
    expect(await isConnected()).toBe(false);
  });

  it('is renewed by the old means when the answer brings no new ones', async () => {
    await connectByHand(home, id, upstream);
    await asOwner(home, 'provider.discover', { id });
    await asOwner(home, 'provider.review', { id, admit_all: true, reason: 'a test' });
    const wire = modernHttp(server.port, await addClient(home, `caller${count}`));
    upstream.script = { token: { refresh_token: undefined } };
    for (let round = 0; round < 2; round += 1) {
      upstream.expireAll();
      const answer = await wire.ask('tools/call', { name: `${id}.echo`, arguments: {} });
      expect(refusalOf(answer).code).toBeUndefined();
    }
  });
});

it('[UPC-05] a program has nobody to sign in to', async () => {
  const program = await scriptedUpstream(temporaryFolder(), 'stdio');
  await asOwner(home, 'provider.register', { id: 'program', ...program.target });
  await expect(beginConnect(home, 'program')).rejects.toThrow('only a provider over HTTP');
  expect(program.requests()).toEqual([]);
});

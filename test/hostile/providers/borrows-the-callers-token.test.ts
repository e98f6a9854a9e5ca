/**
 * A provider wants what is not its own: the token its caller showed to Sluice, the credential of another provider or
 * another user, or that of whoever it sends Sluice on to. And the other way round: what was given for a provider is
 * shown to Sluice.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectByHand, keepCredential } from '../../support/credentials.ts';
import { modernRequest } from '../../support/mcp-clients.ts';
import { addClient, asOwner } from '../../support/owner.ts';
import { type ProtectedUpstream, protectedUpstream } from '../../support/protected-upstream.ts';
import { providerHome } from '../../support/provider-home.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { BENIGN, type Script, TRANSPORTS } from '../../support/scripted-upstream.ts';
import { legacyHttp, modernHttp, refusalOf, type Wire } from '../../support/wires.ts';

const eras = [false, true].map((modern) => ({ modern }));
const kinds = TRANSPORTS.flatMap((transport) => eras.map((era) => ({ transport, ...era })));

describe.each(kinds)('[UPC-04] over $transport, newer protocol: $modern', ({ transport, modern }) => {
  const at = providerHome(transport, { ...BENIGN, modern });

  /** Everything the provider was told, in whatever way. */
  const told = async (): Promise<string> => {
    const { processes } = await at.inspect();
    const environments = processes.map((pid) => readFileSync(`/proc/${pid}/environ`, 'utf8'));
    const headers =
      transport === 'http' ? readFileSync(join(at.home, 'upstream-http.json.headers.log'), 'utf8') : '';
    return JSON.stringify(at.upstream().requests()) + headers + environments.join();
  };

  it('what a caller shows to Sluice does not reach the provider', async () => {
    const tokens = [
      await addClient(at.home, 'curious'),
      (await at.asOwner<{ token: string }>('get_mcp_token')).token,
    ];
    for (const token of tokens) {
      const wires: Wire[] = [modernHttp(at.server().port, token), await legacyHttp(at.server().port, token)];
      for (const wire of wires) {
        const answer = await wire.ask('tools/call', {
          name: 'up.echo',
          arguments: { text: 'x' },
          _meta: { authorization: `Bearer ${token}`, 'example.com/token': token },
        });
        expect(answer.result?.isError).toBeFalsy();
      }
      const { body, headers } = modernRequest('tools/call', { name: 'up.echo', arguments: { text: 'y' } });
      const extra = [
        ['Cookie', `session=${token}`],
        ['X-Api-Key', token],
        ['X-Forwarded-Authorization', `Bearer ${token}`],
      ] as const;
      await rawRequest(at.server().port, {
        headers: [['Authorization', `Bearer ${token}`], ...Object.entries(headers), ...extra],
        body: JSON.stringify(body),
      });
    }
    const everything = await told();
    expect(everything).toContain('echo');
    for (const token of tokens) expect(everything).not.toContain(token);
    expect(everything).not.toMatch(/"authorization"|"cookie"|"x-api-key"/);
  });

  it('what a caller puts into its arguments does not reach it either', async () => {
    const before = at.upstream().requests().length;
    const inputs = [
      { text: 'x', authorization: 'abc' },
      { text: 'Bearer abc' },
      { text: 'x', nested: [{ deep: { clientSecret: 'abc' } }] },
    ];
    for (const input of inputs) expect(await at.call('echo', input)).toBe('DELEG_PROVIDER_BLOCKED');
    expect(JSON.stringify(at.upstream().requests().slice(before))).not.toContain('abc');
  });

  it('what is kept for one provider or user is not given to another', async () => {
    await keepCredential(at.home, 'connector://other', 'kept-for-another-1');
    await keepCredential(at.home, 'grant://up', 'kept-by-its-name-2');
    await keepCredential(at.home, 'connector://other', 'kept-for-ann-3', 'ann');
    expect(await at.call('echo', { text: 'connector://other' })).toContain('connector://other');
    await at.restart();
    expect(await at.call('echo', { text: 'z' })).toContain('z');
    expect(await told()).not.toMatch(/kept-(for|by)/);
  });
});

describe.each(TRANSPORTS)('[UPC-04][CUST-11] a provider over %s', (transport) => {
  const GIVEN = 'orchid-731-lantern';
  const repeats = (text: string): Script => ({
    ...BENIGN,
    instructions: `Given: ${GIVEN}`,
    results: {
      echo: {
        content: [{ type: 'text', text }],
        structuredContent: { headers: { nested: [text] } },
      },
    },
  });
  const at = providerHome(transport, repeats('nothing'), false);

  it('that repeats what it was given is not understood', async () => {
    await keepCredential(at.home, 'connector://repeated', GIVEN);
    await asOwner(at.home, 'provider.register', {
      id: 'parrot',
      ...at.upstream().target,
      ...(transport === 'http'
        ? { credential: 'connector://repeated' }
        : { environment: { SERVICE: 'connector://repeated' } }),
    });
    at.upstream().become(repeats(`it is ${GIVEN} or ${Buffer.from(GIVEN).toString('base64')}`));
    const discovered = await asOwner(at.home, 'provider.discover', { id: 'parrot' });
    await asOwner(at.home, 'provider.review', {
      id: 'parrot',
      admit_all: true,
      trust: 'CONTROLLED_LOCAL',
      reason: 'a test',
    });
    const answer = await at.client().ask('tools/call', { name: 'parrot.echo', arguments: {} });
    const inspected = await asOwner(at.home, 'provider.inspect', { id: 'parrot' });
    const everything = JSON.stringify([discovered, answer, inspected]);
    expect(answer.result?.content).toMatchObject([{ text: expect.stringContaining('[credential]') }]);
    expect(everything).not.toContain(GIVEN);
    expect(everything).not.toContain(Buffer.from(GIVEN).toString('base64').slice(0, 20));
  });
});

describe('[UPC-04] a token that was given for one server', () => {
  const at = providerHome('http');
  let guarded: ProtectedUpstream;
  let thief: ProtectedUpstream;

  beforeAll(async () => {
    guarded = await protectedUpstream();
    thief = await protectedUpstream({ accepts: () => true });
    await asOwner(at.home, 'provider.register', { id: 'guarded', url: guarded.url });
    await connectByHand(at.home, 'guarded', guarded);
    await asOwner(at.home, 'provider.discover', { id: 'guarded' });
    await asOwner(at.home, 'provider.review', { id: 'guarded', admit_all: true, reason: 'a test' });
  });
  afterAll(() => Promise.all([guarded?.close(), thief?.close()]));

  const tokenOf = (): string => {
    const sent = guarded.asked.map(({ headers }) => headers.authorization).filter(Boolean);
    return (sent.at(-1) ?? '').replace('Bearer ', '');
  };
  const toldThief = (): string => JSON.stringify(thief.asked);

  it('is not sent to another one that names the same reference', async () => {
    await asOwner(at.home, 'provider.register', {
      id: 'thief',
      url: thief.url,
      credential: 'grant://guarded',
    });
    const { reason } = await asOwner(at.home, 'provider.discover', { id: 'thief' });
    expect(reason).toContain(`was given for ${guarded.url}`);
    expect(tokenOf()).toMatch(/^access-/);
    expect(toldThief()).not.toContain('access-');
  });

  it('does not follow when its own server sends on', async () => {
    for (const path of ['/mcp', '/token']) {
      guarded.script = { moved: { [path]: `${thief.origin}${path}` } };
      if (path === '/token') guarded.expireAll();
      const answer = await at.client().ask('tools/call', { name: 'guarded.echo', arguments: {} });
      expect(String(refusalOf(answer).code)).toMatch(/^DELEG_/);
    }
    guarded.script = {};
    expect(toldThief()).not.toMatch(/access-|refresh-/);
  });

  it('opens nothing at Sluice, and neither does one that nobody gave', async () => {
    for (const token of [tokenOf(), 'e'.repeat(64)]) {
      const { body, headers } = modernRequest('tools/list', {});
      const { status } = await rawRequest(at.server().port, {
        headers: [['Authorization', `Bearer ${token}`], ...Object.entries(headers)],
        body: JSON.stringify(body),
      });
      expect(status).toBe(401);
    }
  });
});

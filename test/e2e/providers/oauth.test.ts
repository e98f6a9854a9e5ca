/** Providers that want a token of an authorization server, from the first refusal to a renewed token. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { beginConnect, connectByHand, printedUrl } from '../../support/credentials.ts';
import { addClient, asOwner } from '../../support/owner.ts';
import { type RunningServer, startServer, startSluice } from '../../support/process.ts';
import { type ProtectedUpstream, protectedUpstream } from '../../support/protected-upstream.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { modernHttp, refusalOf } from '../../support/wires.ts';

const home = temporaryFolder();
let server: RunningServer;
let upstream: ProtectedUpstream;
let token: string;
let count = 0;
let id = '';

beforeAll(async () => {
  server = await startServer(home);
  token = await addClient(home, 'caller');
});
afterAll(() => server?.stop());

/** Each test has a server and a provider of its own. */
beforeEach(async () => {
  upstream = await protectedUpstream();
  count += 1;
  id = `guarded${count}`;
  await asOwner(home, 'provider.register', { id, url: upstream.url });
  return () => upstream.close();
});

const call = async (): Promise<string> => {
  const message = await modernHttp(server.port, token).ask('tools/call', {
    name: `${id}.echo`,
    arguments: { text: 'x' },
  });
  return String(refusalOf(message).code ?? 'answered');
};

async function connectAndAdmit(): Promise<void> {
  await connectByHand(home, id, upstream);
  await asOwner(home, 'provider.discover', { id });
  await asOwner(home, 'provider.review', {
    id,
    admit_all: true,
    trust: 'CONTROLLED_LOCAL',
    reason: 'a test',
  });
}

const renewals = () => upstream.tokenForms().filter(({ grant_type }) => grant_type === 'refresh_token');
const bearers = () =>
  upstream.asked.filter(({ path }) => path === '/mcp').map(({ headers }) => headers.authorization);

describe('connecting', () => {
  it('[OAUTH-01] goes from the refusal by the browser to tools that can be reviewed', async () => {
    expect(await asOwner(home, 'provider.discover', { id })).toMatchObject({
      state: 'REGISTERED',
      reason: expect.stringContaining(`sluice provider connect ${id}`),
    });
    const command = startSluice(home, ['provider', 'connect', id, '--json']);
    const url = await printedUrl(command);
    const { redirect_uri } = Object.fromEntries(new URL(url).searchParams);
    expect(redirect_uri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    expect(await upstream.visit(url)).toBe(200);
    const { code, stdout } = await command.ended;
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      expect.objectContaining({ ref: `grant://${id}`, user: null, issuer: upstream.origin }),
    ]);
    expect(await asOwner(home, 'provider.inspect', { id })).toMatchObject({
      state: 'DISCOVERING',
      reason_code: 'discovered',
      credential: { connected: true, held: [{ kind: 'oauth', issuer: upstream.origin }] },
    });
  });

  it('[OAUTH-02] asks with PKCE for the very resource, and redeems with what only we know', async () => {
    const { authorization_url } = await connectByHand(home, id, upstream);
    const asked = Object.fromEntries(new URL(authorization_url).searchParams);
    const [form] = upstream.tokenForms();
    expect(asked).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      resource: upstream.url,
      client_id: 'client-1',
    });
    expect(form).toMatchObject({ resource: upstream.url, redirect_uri: asked.redirect_uri });
    const digest = createHash('sha256')
      .update(form?.code_verifier ?? '')
      .digest('base64url');
    expect(asked.code_challenge).toBe(digest);
    expect(Buffer.from(asked.state ?? '', 'base64url')).toHaveLength(32);
  });

  it('[OAUTH-02] writes the resource as the server does, letter by letter', async () => {
    upstream.script = { resource: { resource: `${upstream.origin}/` } };
    expect(await connectByHand(home, id, upstream)).toMatchObject({ resource: `${upstream.origin}/` });
    expect(upstream.tokenForms()[0]?.resource).toBe(`${upstream.origin}/`);
  });
});

describe('a token', () => {
  it('[OAUTH-03] that is about to end is renewed once for all calls that need it', async () => {
    await connectAndAdmit();
    upstream.script = { token: { expires_in: 1 } };
    upstream.expireAll();
    expect(await call()).toBe('answered');
    const before = renewals().length;
    upstream.script = {};
    expect(await Promise.all(Array.from({ length: 8 }, call))).toEqual(Array(8).fill('answered'));
    expect(renewals().length - before).toBe(1);
  });

  it('[OAUTH-04] is renewed again and again although only the first answer had a refresh token', async () => {
    await connectAndAdmit();
    upstream.script = { token: { refresh_token: undefined } };
    for (let round = 0; round < 3; round += 1) {
      upstream.expireAll();
      expect(await call()).toBe('answered');
    }
    expect(new Set(renewals().map(({ refresh_token }) => refresh_token)).size).toBe(1);
    expect(renewals().every(({ resource }) => resource === upstream.url)).toBe(true);
  });

  it('[OAUTH-05] that is refused and cannot be renewed asks for a person, and tries no further', async () => {
    await connectAndAdmit();
    upstream.expireAll();
    upstream.script = { tokenStatus: 400 };
    expect(await call()).toBe('DELEG_CREDENTIAL_REQUIRED');
    const tries = bearers().length;
    expect(await call()).toBe('DELEG_CREDENTIAL_REQUIRED');
    expect(bearers().length - tries).toBeLessThanOrEqual(2);
    upstream.script = {};
    await connectByHand(home, id, upstream);
    expect(await call()).toBe('answered');
  });

  it('[OAUTH-05] is sent all the same while its server cannot be reached, as long as it holds', async () => {
    await connectAndAdmit();
    upstream.script = { token: { expires_in: 20 } };
    upstream.expireAll();
    expect(await call()).toBe('answered');
    upstream.script = { tokenStatus: 503 };
    expect(await call()).toBe('answered');
  });

  it('[OAUTH-06] with too few scopes is not sent again; the next consent covers them as well', async () => {
    upstream.script = { token: { scope: 'read' } };
    await connectAndAdmit();
    const header = 'Bearer error="insufficient_scope", scope="write"';
    upstream.script = { accepts: () => false, challenge: () => ({ status: 403, header }) };
    const before = bearers().length;
    expect(await call()).toBe('DELEG_CREDENTIAL_REQUIRED');
    expect(bearers().length - before).toBe(1);
    upstream.script = {};
    const { authorization_url } = await connectByHand(home, id, upstream);
    expect(new URL(authorization_url).searchParams.get('scope')?.split(' ').sort()).toEqual([
      'read',
      'write',
    ]);
    expect(await call()).toBe('answered');
  });
});

describe('another authorization server', () => {
  it('[OAUTH-08] gets a registration of its own, and nothing that the first one gave', async () => {
    await connectAndAdmit();
    const other = await protectedUpstream({ resource: {} });
    try {
      upstream.script = { resource: { authorization_servers: [other.origin] }, accepts: () => true };
      const { authorization_url, flow } = await beginConnect(home, id);
      expect(new URL(authorization_url).origin).toBe(other.origin);
      expect(other.asked.map(({ path }) => path)).toContain('/register');
      const secrets = upstream.tokenForms().flatMap((form) => Object.values(form));
      expect(
        secrets.some((secret) => JSON.stringify(other.asked).includes(secret) && secret.length > 30),
      ).toBe(false);
      expect(flow).not.toBe('');
    } finally {
      await other.close();
    }
  });
});

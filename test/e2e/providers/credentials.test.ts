/** Credentials on their way: kept sealed, sent to one provider, for whoever calls, and seen by nobody. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keepCredential } from '../../support/credentials.ts';
import { addClient, asOwner } from '../../support/owner.ts';
import { type RunningServer, runSluice, startServer } from '../../support/process.ts';
import { type ScriptedUpstream, scriptedUpstream } from '../../support/scripted-upstream.ts';
import { skipUnless } from '../../support/skip.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { modernHttp, refusalOf, structuredOf } from '../../support/wires.ts';

const home = temporaryFolder();
const SHARED = 'shared-5f1d9c0e7a';
let server: RunningServer;
let upstream: ScriptedUpstream;

beforeAll(async () => {
  server = await startServer(home, { env: { SLUICE_LOG: 'debug' } });
  upstream = await scriptedUpstream(home, 'http');
});
afterAll(async () => {
  await server?.stop();
  await upstream?.close();
});

/** What came in this header, newest last. */
const received = (name: string): (string | undefined)[] =>
  readFileSync(join(home, 'upstream-http.json.headers.log'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as Record<string, string>)[name]);

async function add(id: string, further: Record<string, unknown> = {}): Promise<void> {
  await asOwner(home, 'provider.register', { id, ...upstream.target, ...further });
  await asOwner(home, 'provider.discover', { id });
}

const admit = (id: string) =>
  asOwner(home, 'provider.review', { id, admit_all: true, trust: 'CONTROLLED_LOCAL', reason: 'a test' });

const call = async (token: string, tool: string) =>
  modernHttp(server.port, token).ask('tools/call', { name: tool, arguments: { text: 'x' } });

describe('a credential that all callers share', () => {
  it('[CUST-01] is asked for with the command that gives it, and nothing is sent before it is there', async () => {
    await add('early', { credential: 'connector://early' });
    const { state, reason } = await asOwner(home, 'provider.inspect', { id: 'early' });
    expect([state, reason]).toEqual([
      'REGISTERED',
      expect.stringContaining('sluice credential set connector://early'),
    ]);
    expect(upstream.requests()).toEqual([]);
  });

  it('[CUST-02] is sent in the header and the form that the profile names', async () => {
    await keepCredential(home, 'connector://shared', SHARED);
    await add('plain', { credential: 'connector://shared' });
    expect(received('authorization').at(-1)).toBe(`Bearer ${SHARED}`);
    await add('keyed', {
      credential: 'connector://shared',
      credential_header: 'X-Api-Key',
      credential_format: 'key {base64}',
    });
    expect(received('x-api-key').at(-1)).toBe(`key ${Buffer.from(SHARED).toString('base64')}`);
    expect(received('authorization').at(-1)).toBeUndefined();
  });

  it('[CUST-03] that is taken away is not sent any more, also not over a connection that stands', async () => {
    await admit('plain');
    const token = await addClient(home, 'caller');
    expect((await call(token, 'plain.echo')).result?.isError).toBeFalsy();
    await asOwner(home, 'credential.remove', { ref: 'connector://shared' });
    const refused = refusalOf(await call(token, 'plain.echo'));
    expect(refused).toMatchObject({
      code: 'DELEG_CREDENTIAL_REQUIRED',
      message: expect.stringContaining('sluice credential set connector://shared'),
    });
    await keepCredential(home, 'connector://shared', SHARED);
    expect((await call(token, 'plain.echo')).result?.isError).toBeFalsy();
  });

  it('[CUST-04] is told by inspect and list to be there, by neither what it is', async () => {
    const inspected = await asOwner(home, 'provider.inspect', { id: 'plain' });
    expect(inspected.credential).toMatchObject({ connected: true, held: [{ kind: 'secret', user: null }] });
    const listed = await asOwner(home, 'credential.list');
    expect(listed.credentials).toMatchObject([
      { ref: 'connector://shared', user: null, providers: ['keyed', 'plain'] },
    ]);
    expect(JSON.stringify([inspected, listed])).not.toContain(SHARED);
  });
});

describe('credentials of each caller', () => {
  const tokens: Record<string, string> = {};

  it('[CUST-05] are sent for their owner alone, and never the shared one in their place', async () => {
    for (const name of ['alice', 'bob']) tokens[name] = await addClient(home, name);
    await keepCredential(home, 'connector://own', 'of-all-1111');
    await keepCredential(home, 'connector://own', 'of-owner-2222', 'owner');
    await keepCredential(home, 'connector://own', 'of-alice-3333', 'alice');
    await add('own', { credential: 'connector://own', credential_per_user: true });
    expect(received('authorization').at(-1)).toBe('Bearer of-owner-2222');
    await admit('own');
    expect((await call(tokens.alice ?? '', 'own.echo')).result?.isError).toBeFalsy();
    expect(received('authorization').at(-1)).toBe('Bearer of-alice-3333');
    const before = received('authorization').length;
    expect(refusalOf(await call(tokens.bob ?? '', 'own.echo'))).toMatchObject({
      code: 'DELEG_CREDENTIAL_REQUIRED',
      message: expect.stringContaining('sluice credential set connector://own --user bob'),
    });
    expect(received('authorization')).toHaveLength(before);
    expect(received('authorization')).not.toContain('Bearer of-all-1111');
  });

  it('[CUST-05] keep connections of their own', async () => {
    await keepCredential(home, 'connector://own', 'of-bob-4444', 'bob');
    const before = received('authorization').length;
    await Promise.all(['alice', 'bob', 'alice', 'bob'].map((name) => call(tokens[name] ?? '', 'own.echo')));
    const since = received('authorization').slice(before);
    expect(new Set(since)).toEqual(new Set(['Bearer of-alice-3333', 'Bearer of-bob-4444']));
  });
});

describe('a program without its credential', () => {
  it('[CUST-01] is not started, and the reason says what is missing', async () => {
    const program = await scriptedUpstream(temporaryFolder(), 'stdio');
    const environment = { SERVICE_TOKEN: 'key-source://missing' };
    await asOwner(home, 'provider.register', { id: 'idle', ...program.target, environment });
    const { reason } = await asOwner(home, 'provider.discover', { id: 'idle' });
    expect(reason).toContain('sluice credential set key-source://missing');
    expect(program.requests()).toEqual([]);
  });
});

describe('a program', () => {
  skipUnless(process.platform === 'linux', 'reads the environment of a process from /proc');
  const environmentOf = (pid: number): readonly string[] =>
    readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean);
  const running = async (): Promise<number> => {
    const { processes } = await asOwner<{ processes: number[] }>(home, 'provider.inspect', { id: 'program' });
    return processes[0] ?? 0;
  };

  it('[CUST-06] is given the variables that were granted by name, and a new one when they change', async () => {
    const token = await addClient(home, 'starter');
    const program = await scriptedUpstream(temporaryFolder(), 'stdio');
    await keepCredential(home, 'key-source://program', 'in-environment-1');
    await asOwner(home, 'provider.register', {
      id: 'program',
      ...program.target,
      environment: { SERVICE_TOKEN: 'key-source://program' },
    });
    await asOwner(home, 'provider.discover', { id: 'program' });
    await admit('program');
    await call(token, 'program.echo');
    const first = await running();
    expect(environmentOf(first)).toContain('SERVICE_TOKEN=in-environment-1');
    await keepCredential(home, 'key-source://program', 'in-environment-2');
    await call(token, 'program.echo');
    expect(await running()).not.toBe(first);
    expect(environmentOf(await running())).toContain('SERVICE_TOKEN=in-environment-2');
  });
});

describe('what is given', () => {
  it('[CUST-07] must be sealed for its slot: neither in the clear nor moved from another one', async () => {
    const clear = asOwner(home, 'credential.set', { ref: 'connector://x', sealed: 'plain-text' });
    await expect(clear).rejects.toThrow('cannot be opened');
    const { sealCredential } = await import('../../../src/app/seal-secret.ts');
    const sealed = sealCredential(home, { ref: 'connector://x', user: 'alice' }, 'moved');
    await expect(asOwner(home, 'credential.set', { ref: 'connector://x', sealed })).rejects.toThrow(
      'cannot be opened',
    );
  });

  it.each(['two\nlines', 'naïve', ''])(
    '[CUST-07] must be something that can be sent: %j is not',
    async (value) => {
      const { code, stderr } = await runSluice(home, ['credential', 'set', 'connector://x'], {
        input: value,
      });
      expect([code, stderr]).toEqual([2, expect.stringContaining('"value" must')]);
    },
  );

  it('[CUST-08] is on no disk, in no log and no record, under way and afterwards', async () => {
    const secrets = [SHARED, 'of-alice-3333', 'of-owner-2222', 'in-environment-1'];
    const commands = [
      ['credential', 'list'],
      ['provider', 'inspect', 'own', '--json'],
      ['audit', 'export'],
      ['doctor'],
    ];
    const said = [server.output()];
    for (const command of commands) said.push((await runSluice(home, command)).stdout);
    await server.stop();
    const files = readdirSync(home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.headers.log'))
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
    for (const secret of secrets) {
      for (const text of [...said, ...files]) expect(text.includes(secret)).toBe(false);
      const digest = (await import('node:crypto')).createHash('sha256').update(secret).digest('hex');
      for (const text of files) expect(text.includes(digest)).toBe(false);
    }
    server = await startServer(home, { port: server.port });
    expect(structuredOf(await call(await addClient(home, 'late'), 'plain.echo')).code).toBeUndefined();
  });
});

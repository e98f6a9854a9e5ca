/** Every problem the doctor knows, made for real: it is named, with its fix, and it is gone when it was mended. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { createSluice } from '../../../src/app/create-sluice.ts';
import { homeLayout } from '../../../src/drivers/home/home-layout.ts';
import { freePort, runSluice, SLUICE, sluiceJson, startServer } from '../../support/process.ts';
import { withRawDatabase } from '../../support/raw-database.ts';
import { skipUnless } from '../../support/skip.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const HOLD_LOCK = fileURLToPath(new URL('../../support/hold-lock.ts', import.meta.url));

interface Found {
  readonly code: number;
  readonly wrong: readonly { readonly id: string; readonly finding: string; readonly fix: string }[];
}

async function examine(home: string, env: Record<string, string> = {}): Promise<Found> {
  const port = String(await freePort());
  const { code, stdout } = await runSluice(home, ['doctor', '--json'], {
    env: { SLUICE_PORT: port, ...env },
  });
  const { findings } = JSON.parse(stdout) as { findings: (Found['wrong'][number] & { ok: boolean })[] };
  return { code, wrong: findings.filter(({ ok }) => !ok) };
}

async function freshHome(): Promise<string> {
  const home = temporaryFolder();
  await sluiceJson(home, 'page', 'create', 'Alpha');
  return home;
}

const named = (id: string, fix: RegExp, code = 6) => ({
  code,
  wrong: [{ id, ok: false, finding: expect.stringMatching(/\S/), fix: expect.stringMatching(fix) }],
});
const damage = (id: string, fix: RegExp) => {
  const { code, wrong } = named(id, fix, 8);
  return { code, wrong: [{ ...wrong[0], damage: true }] };
};

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

describe('the home', () => {
  it('[CLI-10] is not there', async () => {
    expect(await examine(join(temporaryFolder(), 'none'))).toEqual(
      named('no-home', /"sluice serve" makes it/),
    );
  });

  it('[CLI-10] is locked by something that does not answer', async () => {
    const home = await freshHome();
    const child: ChildProcess = spawn(process.execPath, [HOLD_LOCK, homeLayout(home).lock], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    opened.push(() => child.kill('SIGKILL'));
    if (child.stdout) await once(child.stdout, 'data');
    expect(await examine(home)).toEqual(named('home-locked', /stop it/));
  });

  it('[CLI-10] can be read by others', async () => {
    const home = await freshHome();
    chmodSync(join(home, 'data', 'keys', 'master.key'), 0o644);
    const found = await examine(home);
    expect(found).toEqual(named('permissions', /^chmod -R go-rwx \S+$/));
    execFileSync('sh', ['-c', found.wrong[0]?.fix ?? '']);
    expect(await examine(home)).toEqual({ code: 0, wrong: [] });
  });

  it('[CLI-10] has a configuration that is wrong, or a token in it', async () => {
    const home = await freshHome();
    writeFileSync(join(home, 'config.json'), '{"server.prot": 1}', { mode: 0o600 });
    expect(await examine(home)).toEqual(named('configuration-wrong', /config\.json/));
    const { token } = await sluiceJson<{ token: string }>(await freshHome(), 'token', 'show');
    writeFileSync(join(home, 'config.json'), JSON.stringify({ 'server.allowed_hosts': [token] }), {
      mode: 0o600,
    });
    expect(await examine(home)).toEqual(named('token-in-config', /token rotate/));
  });
});

describe('the disk', () => {
  const canMount = spawnSync('unshare', ['-rm', 'true']).status === 0;
  skipUnless(canMount, 'file systems cannot be mounted here (unshare -rm fails)');

  /** In a mount namespace of its own: a small disk with a copy of the home on it. */
  async function onDisk(home: string, size: string, then: string): Promise<Found> {
    const disk = temporaryFolder();
    const lines = [
      `mount -t tmpfs -o size=${size},mode=700 none "${disk}"`,
      `cp -a "${home}/." "${disk}"`,
      then.replaceAll('DISK', disk),
      `exec "${SLUICE}" doctor --json --home "${disk}"`,
    ];
    const { status, stdout } = spawnSync('unshare', ['-rm', 'sh', '-c', lines.join(' && ')], {
      encoding: 'utf8',
    });
    const { findings } = JSON.parse(stdout) as { findings: (Found['wrong'][number] & { ok: boolean })[] };
    return { code: status ?? -1, wrong: findings.filter(({ ok }) => !ok) };
  }

  it('[CLI-10] is full, or nearly so', async () => {
    const home = await freshHome();
    expect(
      await onDisk(home, '8m', '{ cat /dev/zero > DISK/fill 2>/dev/null || chmod 600 DISK/fill; }'),
    ).toEqual(named('disk-full', /make room/));
    expect(await onDisk(home, '50m', 'true')).toEqual(named('disk-full', /make room/));
  });

  it('[CLI-10] is read-only', async () => {
    const home = await freshHome();
    expect(await onDisk(home, '200m', 'mount -o remount,ro "DISK"')).toEqual(
      named('disk-read-only', /mount it/),
    );
  });
});

describe('what is kept', () => {
  it('[CLI-10] is a damaged database', async () => {
    const home = await freshHome();
    const { database } = homeLayout(home);
    const bytes = readFileSync(database);
    bytes.fill(0xff, 4_096, 40_960);
    writeFileSync(database, bytes);
    expect(await examine(home)).toEqual(damage('store-damaged', /sluice restore/));
  });

  it('[CLI-10] is an audit log that was altered', async () => {
    const home = await freshHome();
    await withRawDatabase(home, {}, (database) =>
      database.run(`update audit set subject_name = 'nobody' where sequence = 2`),
    );
    expect(await examine(home)).toEqual(damage('audit-broken', /audit export/));
  });

  it('[CLI-10] lacks its signed heads, and goes on lacking them until somebody acts', async () => {
    const home = await freshHome();
    rmSync(join(homeLayout(home).heads, 'newest'));
    for (const _ of [1, 2])
      expect(await examine(home)).toEqual(damage('audit-heads-missing', /audit verify --heads/));
  });

  it('[CLI-10] is of a later time than the clock', async () => {
    const home = await freshHome();
    const later = await createSluice({ home, clock: { now: () => Date.now() + 3_600_000 } });
    await later.call('get_page_tree', {});
    await later.close();
    expect(await examine(home)).toEqual(named('clock-back', /set the clock/));
  });

  it('[CLI-10] is on a PostgreSQL that does not answer', async () => {
    const home = await freshHome();
    const url = `postgres://nobody@127.0.0.1:${await freePort()}/none`;
    expect(await examine(home, { SLUICE_STORE: 'postgres', SLUICE_STORE_URL: url })).toEqual(
      named('store-unreachable', /store\.url/),
    );
  });
});

describe('how it is set', () => {
  it('[CLI-10] is a port that another has', async () => {
    const home = await freshHome();
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    opened.push(() => taken.close());
    const { port } = taken.address() as { port: number };
    expect(await examine(home, { SLUICE_PORT: String(port) })).toEqual(named('port-taken', /set_mcp_port/));
  });

  it('[CLI-10] is switched off, as a whole or a tool', async () => {
    const home = await freshHome();
    await sluiceJson(home, 'disable');
    expect(await examine(home)).toEqual(named('switched-off', /^sluice enable$/));
    await sluiceJson(home, 'enable');
    await sluiceJson(home, 'disable', '--tool', 'search');
    expect(await examine(home)).toEqual(named('tools-switched-off', /^sluice enable --tool search$/));
  });

  it('[CLI-10] is without an open workspace', async () => {
    const home = await freshHome();
    await sluiceJson(home, 'workspace', 'close', 'default');
    expect(await examine(home)).toEqual(named('no-workspace', /workspace open/));
  });

  it('[CLI-10] is with clients that have expired', async () => {
    const home = temporaryFolder();
    const earlier = await createSluice({ home, clock: { now: () => Date.now() - 7_200_000 } });
    await earlier.call('client.add', { name: 'old', expires: '1h' });
    await earlier.close();
    expect(await examine(home)).toEqual(named('clients-expired', /sluice client revoke old/));
  });

  it("[CLI-10] is with the owner's token in a client's configuration, and a client's own is fine there", async () => {
    const [home, user] = [await freshHome(), temporaryFolder()];
    mkdirSync(join(user, '.cursor'));
    const write = (token: string): void =>
      writeFileSync(join(user, '.cursor', 'mcp.json'), JSON.stringify({ Authorization: `Bearer ${token}` }));
    write((await sluiceJson<{ token: string }>(home, 'client', 'add', 'cursor')).token);
    expect(await examine(home, { HOME: user })).toEqual({ code: 0, wrong: [] });
    write((await sluiceJson<{ token: string }>(home, 'token', 'show')).token);
    expect(await examine(home, { HOME: user })).toEqual(named('owner-token-in-file', /token rotate/));
  });

  it('[CLI-10] is with the socket of a server that was killed', async () => {
    const home = await freshHome();
    await (await startServer(home)).kill('SIGKILL');
    const found = await examine(home);
    expect(found).toEqual(named('socket-left', /rm -f /));
    execFileSync('sh', ['-c', (found.wrong[0]?.fix ?? '').replace(/^.*, or /, '')]);
    expect(await examine(home)).toEqual({ code: 0, wrong: [] });
  });
});

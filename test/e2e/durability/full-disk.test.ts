/** A home on a disk that is full or read-only: everything says so, nothing is half done, and it goes on when there is room. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CANNOT_MOUNT, canMount, fill, mountedOn, seenBy } from '../../support/mounted-folder.ts';
import { addClient, asOwner } from '../../support/owner.ts';
import { type RunningServer, runSluice, startServer } from '../../support/process.ts';
import { type RawAnswer, rawRequest } from '../../support/raw-http.ts';
import { skipUnless } from '../../support/skip.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type LegacySession, legacyHttp, modernHttp, refusalOf } from '../../support/wires.ts';

const UNAVAILABLE = 6;
const mountable = canMount();

describe('a home that cannot be used', () => {
  const COMMANDS = [['page', 'tree'], ['serve'], ['mcp'], ['token', 'show']];

  async function expectTold(home: string, reason: RegExp, within?: readonly string[]): Promise<void> {
    for (const command of COMMANDS) {
      const told = await runSluice(home, command, within ? { within } : {});
      expect(told, command.join(' ')).toMatchObject({ code: UNAVAILABLE, stdout: '' });
      expect(told.stderr).toContain(home);
      expect(told.stderr).toMatch(reason);
      expect(told.stderr).not.toMatch(/inside Sluice|\n +at /);
    }
  }

  it('[DUR-41] says that its path is no folder', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    await expectTold(join(file, 'home'), /\(ENOTDIR\)/);
  });

  describe('on a file system of its own', () => {
    skipUnless(mountable, CANNOT_MOUNT);

    it('[DUR-41] says that it is read-only', async () => {
      const home = temporaryFolder();
      await expectTold(home, /\(EROFS|SQLITE_READONLY|SQLITE_CANTOPEN\)/, mountedOn(home, 'ro'));
    });

    it('[DUR-41] says that the disk is full', async () => {
      const home = temporaryFolder();
      const full = 'head -c 65536 /dev/zero > filler 2>/dev/null || true';
      await expectTold(
        home,
        /full.*\((ENOSPC|SQLITE_FULL|SQLITE_IOERR)\)/,
        mountedOn(home, 'size=64k', full),
      );
    });
  });
});

describe('a disk that becomes full', () => {
  skipUnless(mountable, CANNOT_MOUNT);
  const home = temporaryFolder();
  let server: RunningServer;
  let token = '';
  let seen = '';
  let session: LegacySession;
  let free: () => void = () => undefined;

  beforeAll(async () => {
    if (!mountable) return;
    server = await startServer(home, { within: mountedOn(home, 'size=16m') });
    seen = seenBy(server.process.pid, home);
    token = await addClient(seen, 'client');
    session = await legacyHttp(server.port, token);
    await asOwner(seen, 'create_page', { title: 'Before', content: 'Text.' });
    free = fill(seen);
  });
  afterAll(() => server?.stop());

  const health = (): Promise<RawAnswer> => rawRequest(server.port, { method: 'GET', target: '/health' });

  /** What the SDK turns away by itself: a session that does not take what it would be sent. */
  const unacceptable = (): Promise<RawAnswer> =>
    rawRequest(server.port, {
      method: 'GET',
      headers: [
        ['Authorization', `Bearer ${token}`],
        ['Accept', 'text/plain'],
        ['Mcp-Session-Id', session.id],
      ],
    });

  it('[DUR-42] refuses writes and reads in words that fit, and logs the cause', async () => {
    const wire = modernHttp(server.port, token);
    const write = refusalOf(
      await wire.ask('tools/call', { name: 'create_page', arguments: { title: 'After' } }),
    );
    expect(write).toMatchObject({ code: 'unavailable' });
    for (let i = 0; i < 5; i += 1) {
      const read = refusalOf(await wire.ask('tools/call', { name: 'get_workspace', arguments: {} }));
      expect(read).toMatchObject({
        code: 'unavailable',
        message: expect.stringMatching(/cannot be recorded/),
      });
      expect(read.message).not.toMatch(/changed|retry/);
      // Long enough that the store is tried again in between.
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const logged = server
      .output()
      .split('\n')
      .filter((line) => line.includes('commit_failed'));
    expect(logged.length).toBeGreaterThan(0);
    for (const line of logged) expect(JSON.parse(line).cause).toMatch(/^SQLITE_(FULL|IOERR)$/);
  });

  it('[DUR-42] a refusal that cannot be recorded is not given', async () => {
    expect((await unacceptable()).status).toBe(503);
  });

  it('[MCP-30] is told at the health address, without a detail', async () => {
    await modernHttp(server.port, token).ask('tools/call', { name: 'get_workspace', arguments: {} });
    expect(await health()).toMatchObject({ status: 503, body: '{"status":"unavailable"}' });
  });

  it('[MCP-30][DUR-42] goes on when there is room again, also if only its health is asked for', async () => {
    free();
    await expect.poll(async () => (await health()).status).toBe(200);
    expect((await unacceptable()).status).toBe(406);
    const titles = JSON.stringify(await asOwner(seen, 'get_page_tree'));
    expect(titles).toContain('Before');
    expect(titles).not.toContain('After');
    expect(await asOwner(seen, 'audit.verify')).toMatchObject({ ok: true });
  });
});

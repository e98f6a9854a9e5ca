/**
 * The program of a provider as an attacker: it starts more and more processes, does not end, floods its log, and looks
 * for what is not its own. That is about stdio: a server over HTTP is nobody's program here, and is not treated as one.
 */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bubblewrapWorks, NO_BUBBLEWRAP } from '../../support/bubblewrap.ts';
import { isRunning, rogueHome } from '../../support/rogue-home.ts';
import { skipUnless } from '../../support/skip.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/timing.ts';

describe('[UPD-05] a program that is not shut in', () => {
  const at = rogueHome('stdio', {}, { SLUICE_MARK: 'not for programs' });
  const noneLeft = (): Promise<void> => until(() => !at.started().some(isRunning));

  it('is counted with all that it started, and ended with all of it', async () => {
    expect(await at.call('rogue.family')).toBe('done');
    const { processes } = await at.inspect();
    expect(at.started().filter((pid) => !processes.includes(pid))).toEqual([]);
    expect(processes).toHaveLength(3);
    // It hears neither SIGTERM nor the end of its input.
    const [program = 0] = at.started();
    await at.asOwner('provider.disable', { id: 'rogue', reason: 'a test' });
    // Counted until it is gone, not until it should be.
    await until(async () => (await at.inspect()).processes.length === 0);
    expect(isRunning(program)).toBe(false);
    await noneLeft();
    await at.asOwner('provider.discover', { id: 'rogue' });
  });

  it('is ended when it starts more processes than anybody needs', async () => {
    // On a slow machine it is found before it has answered.
    expect(['done', 'DELEG_STREAM_TERMINAL_ERROR']).toContain(await at.call('rogue.bomb'));
    expect(at.started().length).toBeGreaterThan(128);
    await noneLeft();
    expect(await at.call('calm.echo', { text: 'x' })).toBe('{"text":"x"}');
  });

  it('leaves nothing behind when it ends by itself', async () => {
    expect(await at.call('rogue.orphan')).toBe('done');
    await noneLeft();
  });

  it('fills no memory with what it logs', async () => {
    expect(await at.call('rogue.stderr')).toBe('done');
    const { stderr } = await at.asOwner<{ stderr: string }>('provider.logs', { id: 'rogue' });
    expect(stderr.length).toBeLessThanOrEqual(65_536);
    await until(async () =>
      (await at.asOwner<{ stderr: string }>('provider.logs', { id: 'rogue' })).stderr.endsWith(
        'last words\n',
      ),
    );
  });

  it('has an environment of its own, with what it needs to find other programs', async () => {
    const given = Object.keys(JSON.parse(await at.call('rogue.environment')));
    const known = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'LANG'];
    expect(given.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('does not outlive Sluice, however that ends', async () => {
    expect(await at.call('rogue.family')).toBe('done');
    await at.server().kill('SIGKILL');
    // One of them left the group on purpose: that one only bubblewrap holds.
    const [program = 0, child = 0] = at.started().slice(-3);
    await until(() => !isRunning(program) && !isRunning(child));
    for (const pid of at.started().filter(isRunning)) process.kill(pid, 'SIGKILL');
  });
});

describe('[UPD-05] a program that is shut in', () => {
  skipUnless(bubblewrapWorks(), NO_BUBBLEWRAP);
  const owner = temporaryFolder();
  const [mayRead, mayWrite] = [join(owner, 'may-read'), join(owner, 'may-write')];
  const listener = createServer((socket) => socket.end());
  let port = 0;
  const isolation = { read: [mayRead, join(import.meta.dirname, '../../..')], write: [mayWrite] };
  beforeAll(async () => {
    for (const folder of [mayRead, mayWrite, join(owner, '.ssh')]) mkdirSync(folder);
    writeFileSync(join(owner, '.ssh', 'id_rsa'), 'the key');
    writeFileSync(join(mayRead, 'note'), 'a note');
    await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done));
    port = (listener.address() as { port: number }).port;
  });
  afterAll(() => void listener.close());
  const at = rogueHome('stdio', { isolation }, { HOME: owner, SLUICE_MARK: 'not for programs' });
  const peek = (input: Record<string, unknown>): Promise<string> => at.call('rogue.peek', input);

  it('sees nothing of its owner but what is listed', async () => {
    expect(await peek({ file: join(owner, '.ssh', 'id_rsa') })).toBe('failed ENOENT');
    expect(await peek({ file: join(mayRead, 'note') })).toBe('a note');
    expect(await peek({ file: join(at.home, 'config.json') })).toBe('failed ENOENT');
  });

  it('changes nothing but what is listed', async () => {
    await peek({ file: join(owner, '.ssh-keys'), text: 'mine' });
    expect(() => readFileSync(join(owner, '.ssh-keys'))).toThrow('ENOENT');
    expect(await peek({ file: join(mayRead, 'note'), text: 'mine' })).toBe('failed EROFS');
    expect(await peek({ file: join(mayWrite, 'note'), text: 'mine' })).toBe('written');
    expect(readFileSync(join(mayWrite, 'note'), 'utf8')).toBe('mine');
  });

  it('sees no process but its own, and reaches no network', async () => {
    expect(await peek({})).not.toContain('SLUICE');
    expect(await peek({ port })).toBe('failed ECONNREFUSED');
  });

  it('is ended with everything it started, also what left the group, also when Sluice is killed', async () => {
    expect(await at.call('rogue.family')).toBe('done');
    const { processes } = await at.inspect();
    expect(processes.length).toBeGreaterThanOrEqual(4);
    await at.server().kill('SIGKILL');
    await until(() => !processes.some(isRunning));
  });
});

describe('[UPD-05] where there is no bubblewrap', () => {
  const programs = temporaryFolder();
  for (const name of ['sh', 'readlink', 'dirname']) symlinkSync(`/usr/bin/${name}`, join(programs, name));
  const at = rogueHome('stdio', {}, { PATH: programs });

  it('a program that should be shut in is not run at all, and the reason is said', async () => {
    const command = [process.execPath, '--version'];
    await at.asOwner('provider.register', { id: 'shut_in', command, isolation: {} });
    const { state, reason } = await at.asOwner('provider.discover', { id: 'shut_in' });
    expect([state, reason]).toEqual(['REGISTERED', expect.stringContaining('needs bubblewrap')]);
  });
});

describe('[UPD-05] a server over HTTP', () => {
  const at = rogueHome('http');

  it('is no program of ours: nothing of it is counted, shut in, given an environment or ended', async () => {
    expect(await at.call('rogue.family')).toBe('done');
    expect((await at.inspect()).processes).toEqual([]);
    for (const wish of [{ isolation: {} }, { environment: { TOKEN: 'connector://x' } }])
      await expect(
        at.asOwner('provider.register', { id: 'other', ...at.rogue().target, ...wish }),
      ).rejects.toThrow('programs');
    await at.asOwner('provider.disable', { id: 'rogue', reason: 'a test' });
    expect(at.started().filter(isRunning)).toEqual(at.started());
    for (const pid of at.started().slice(1)) process.kill(pid, 'SIGKILL');
  });
});

/**
 * A real PostgreSQL server for one test run, from the package in test/peers: started in a temporary folder, reached
 * on the loopback address by a password of its own, gone without a trace when whoever started it is gone.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { lchown, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { copyBinaries, PostgresMissing } from './postgres-binaries.ts';

export interface PostgresServer {
  /** Of the superuser, on the database `postgres`. */
  readonly url: string;
  stop(): Promise<void>;
}

/** PostgreSQL refuses to run as root. Whoever is root lends it the ids of nobody; others run it as themselves. */
const identity: { uid?: number; gid?: number } = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

const settings = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'fsync=on',
  'shared_buffers=32MB',
  'max_connections=200',
  // Failed statements are what many tests are about; only the server's own messages are worth keeping.
  'log_min_messages=log',
  'log_checkpoints=off',
  'timezone=UTC',
];

/**
 * The shell outlives us on purpose: its input ends when this process ends, even by SIGKILL, and then it stops the
 * server and removes the folder. Nothing is worth saving, so the server stops at once.
 */
const supervise = `
dir=$1; shift; exec 3<&0
"$dir/native/bin/postgres" -D "$dir/data" "$@" 3<&- </dev/null & server=$!
{ read -r _ <&3; kill -QUIT "$server"; } 2>/dev/null & watcher=$!
exec 3<&-; wait "$server"; status=$?
kill "$watcher" 2>/dev/null; cd /; rm -rf "$dir"; exit "$status"`;

/** Throws PostgresMissing where the package is not to be had. */
export async function startPostgres(): Promise<PostgresServer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tryToStart();
    } catch (error) {
      // Between finding a free port and taking it somebody else may have taken it.
      if (attempt === 3 || !String(error).includes('could not bind')) throw error;
    }
  }
}

async function tryToStart(): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-postgres-'));
  try {
    await copyBinaries(join(folder, 'native'));
    const password = randomBytes(12).toString('hex');
    await writeFile(join(folder, 'password'), password, { mode: 0o600 });
    await handOver(folder);
    await initialise(folder);
    const { port, supervisor } = await startServer(folder);
    const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
    return { url, stop: () => stop(supervisor) };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Makes everything so far belong to the user that runs the server, which also has to remove it. */
async function handOver(folder: string): Promise<void> {
  const { uid, gid } = identity;
  if (uid === undefined || gid === undefined) return;
  const inside = await readdir(folder, { recursive: true });
  try {
    await Promise.all(['', ...inside].map((path) => lchown(join(folder, path), uid, gid)));
  } catch (error) {
    // In some containers root is the only user there is.
    throw new PostgresMissing(
      `PostgreSQL does not run as root, and root may lend it no other user: ${error}`,
    );
  }
}

async function initialise(folder: string): Promise<void> {
  const options = ['--username=postgres', `--pwfile=${join(folder, 'password')}`, '--auth=password'];
  const locale = ['--encoding=UTF8', '--locale=C'];
  await promisify(execFile)(
    join(folder, 'native/bin/initdb'),
    ['-D', join(folder, 'data'), '--no-sync', '--no-instructions', ...options, ...locale],
    { ...identity, cwd: folder, env: { LC_ALL: 'C', TZ: 'UTC' } },
  );
}

async function startServer(folder: string): Promise<{ port: number; supervisor: ChildProcess }> {
  const port = await freePort();
  const options = [...settings, `port=${port}`].flatMap((setting) => ['-c', setting]);
  const supervisor = spawn('sh', ['-c', supervise, 'sh', folder, ...options], {
    ...identity,
    cwd: folder,
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
    // Its own group, so that Ctrl-C reaches us alone and tests can still put away what they opened.
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  await untilReady(supervisor);
  return { port, supervisor };
}

async function untilReady(supervisor: ChildProcess): Promise<void> {
  let log = '';
  await new Promise<void>((resolve, reject) => {
    supervisor.once('error', reject);
    supervisor.once('exit', () => reject(new Error(`PostgreSQL did not start:\n${log}`)));
    supervisor.stderr?.on('data', (chunk: Buffer) => {
      log = (log + chunk).slice(-10_000);
      if (log.includes('ready to accept connections')) resolve();
    });
  });
}

async function stop(supervisor: ChildProcess): Promise<void> {
  if (supervisor.exitCode !== null || supervisor.signalCode !== null) return;
  const gone = once(supervisor, 'exit');
  supervisor.stdin?.end();
  await gone;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('The system gave no free port');
  return address.port;
}

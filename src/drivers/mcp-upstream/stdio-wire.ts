/** A server that we start: a program with its arguments in a process group of its own and an environment we built. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { UpstreamFailure } from '../../domain/providers/ports/upstream.ts';
import type { StdioTransport } from '../../domain/providers/profile.ts';
import { inBubblewrap, type Started } from './bubblewrap.ts';
import { processesOf } from './process-table.ts';
import { MAX_PROCESSES, type ProgramGroups } from './program-groups.ts';
import { readLines } from './read-lines.ts';
import type { Wire, WireListener } from './wire.ts';

const STDERR_KEPT = 64 * 1024;
/** How long a program may take to end once its input has, and then when it is told to. */
const QUIET_MS = 500;
const GRACE_MS = 1_500;
const LAST_WORDS_MS = 200;

export interface StdioMeans {
  readonly environment: Readonly<Record<string, string>>;
  readonly groups: ProgramGroups;
}

export async function openStdio(
  use: StdioMeans,
  transport: StdioTransport,
  listener: WireListener,
): Promise<Wire> {
  const { child, pid } = await start(transport, use.environment);
  const log = keepTail(child);
  const said = once(child.stderr, 'close');
  const end = (reason: string, kind?: 'too_large'): void => {
    listener.end(reason, kind);
    use.groups.signal(pid, 'SIGKILL');
  };
  readLines(child.stdout, listener, end);
  let running = true;
  use.groups.begin(pid, (count) => end(`its program has ${count} processes, more than ${MAX_PROCESSES}`));
  child.once('exit', (code, signal) => {
    running = false;
    use.groups.end(pid);
    listener.end(
      `${signal ? `its program was ended by ${signal}` : `its program ended with code ${code}`}${why(log())}`,
    );
  });
  // A program that does not read must not end us; that it is gone is told by its exit.
  child.stdin.on('error', () => undefined);
  return {
    perRequest: false,
    async send(message) {
      if (!running) throw new UpstreamFailure('ended', 'Its program has ended', false);
      if (child.stdin.writableLength > MAX_UNREAD)
        throw new UpstreamFailure('ended', 'Its program does not read what it is sent', false);
      child.stdin.write(`${JSON.stringify(message)}\n`);
    },
    async close() {
      // What it said last may come after its end; what it left running may keep its output open.
      if (!running) return void (await Promise.race([said, delay(LAST_WORDS_MS)]));
      const exit = once(child, 'exit');
      child.stdin.end();
      const stages = [
        setTimeout(() => use.groups.signal(pid, 'SIGTERM'), QUIET_MS),
        setTimeout(() => use.groups.signal(pid, 'SIGKILL'), QUIET_MS + GRACE_MS),
      ];
      await exit;
      for (const stage of stages) clearTimeout(stage);
    },
    get processes() {
      if (!running) return [];
      const found = processesOf(pid);
      return found.length > 0 ? found : [pid];
    },
    stderr: log,
  };
}

/** More than this waits in our memory for a program that does not read. */
const MAX_UNREAD = 16 * 1024 * 1024;

async function start(
  transport: StdioTransport,
  environment: Readonly<Record<string, string>>,
): Promise<{ child: ChildProcessWithoutNullStreams; pid: number }> {
  const { folder, isolation } = transport;
  const started: Started = isolation
    ? inBubblewrap(transport, isolation, environment)
    : { ...transport, environment };
  const child = spawn(started.command, [...started.args], {
    env: started.environment,
    ...(folder !== null && { cwd: folder }),
    // The leader of a group: what it starts ends with it.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  try {
    await once(child, 'spawn');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    const wanted =
      isolation && code === 'ENOENT' ? '; isolation needs bubblewrap, which is not installed' : '';
    throw new UpstreamFailure(
      'connect',
      `"${started.command}" could not be started (${code})${wanted}`,
      false,
    );
  }
  return { child, pid: child.pid as number };
}

/** The end of what it says about itself; a flood only pushes out what came before. */
function keepTail(child: ChildProcessWithoutNullStreams): () => string {
  let tail = '';
  child.stderr.setEncoding('utf8');
  child.stderr.on('data', (text: string) => {
    tail = (tail + text).slice(-STDERR_KEPT);
  });
  return () => tail;
}

/** What bubblewrap itself says when it cannot do its work. */
const why = (log: string): string => {
  const found = /^bwrap: ([\x20-\x7e]{1,200})$/m.exec(log);
  return found ? ` (${found[1]})` : '';
};

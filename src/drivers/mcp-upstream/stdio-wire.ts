/** A server that we start: a program with its arguments in a process group of its own and an environment we built. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { UpstreamFailure } from '../../domain/providers/ports/upstream.ts';
import type { StdioTransport } from '../../domain/providers/profile.ts';
import { MAX_MESSAGE_BYTES, parseMessage, type Wire, type WireListener } from './wire.ts';

const STDERR_KEPT = 64 * 1024;
/** How long a program may take to end when it is asked to. */
const GRACE_MS = 2_000;

export async function openStdio(
  { command, args, folder }: StdioTransport,
  environment: Readonly<Record<string, string>>,
  listener: WireListener,
): Promise<Wire> {
  const child = spawn(command, args, {
    env: environment,
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
    throw new UpstreamFailure('connect', `"${command}" could not be started (${code})`, false);
  }
  const log = keepTail(child);
  readLines(child, listener);
  let running = true;
  child.once('exit', (code, signal) => {
    running = false;
    // Whatever it has started and left behind.
    killGroup(child, 'SIGKILL');
    listener.end(signal ? `its program was ended by ${signal}` : `its program ended with code ${code}`);
  });
  // A program that does not read must not end us; that it is gone is told by its exit.
  child.stdin.on('error', () => undefined);
  return {
    async send(message) {
      if (!running) throw new UpstreamFailure('ended', 'Its program has ended', false);
      child.stdin.write(`${JSON.stringify(message)}\n`);
    },
    async close() {
      if (!running) return;
      child.stdin.end();
      killGroup(child, 'SIGTERM');
      const late = setTimeout(() => killGroup(child, 'SIGKILL'), GRACE_MS);
      await once(child, 'exit');
      clearTimeout(late);
    },
    get processes() {
      return running && child.pid !== undefined ? [child.pid] : [];
    },
    stderr: log,
  };
}

function killGroup({ pid }: ChildProcessWithoutNullStreams, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
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

function readLines(child: ChildProcessWithoutNullStreams, listener: WireListener): void {
  const parts: Buffer[] = [];
  let held = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    let rest = chunk;
    for (let at = rest.indexOf(10); at >= 0; at = rest.indexOf(10)) {
      parts.push(rest.subarray(0, at));
      const message = parseMessage(Buffer.concat(parts).toString('utf8'));
      // Some programs greet on standard output; what is no message is not for us.
      if (message) listener.receive(message);
      parts.length = 0;
      held = 0;
      rest = rest.subarray(at + 1);
    }
    if (rest.length > 0) parts.push(rest);
    held += rest.length;
    if (held <= MAX_MESSAGE_BYTES) return;
    listener.end(`it sent a message of more than ${MAX_MESSAGE_BYTES} bytes`);
    child.stdout.destroy();
    killGroup(child, 'SIGKILL');
  });
}

/**
 * Every program that we started, as the group it leads: counted, kept from growing without end, ended as a whole. A
 * small watcher outside of this process ends them too when Sluice is killed and can do nothing itself any more.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { processesOf, processTable } from './process-table.ts';

/** A program with more processes than this is taken for one that will not stop. */
export const MAX_PROCESSES = 128;
const COUNT_EVERY_MS = 2_000;

/** Told of groups by lines; when its input ends, so does all that it still knows of. */
const WATCHER = `
groups=
while read -r how group; do
  kept=
  for one in $groups; do [ "$one" = "$group" ] || kept="$kept $one"; done
  [ "$how" = + ] && kept="$kept $group"
  groups=$kept
done
for group in $groups; do kill -s KILL -- "-$group"; done
`;

export class ProgramGroups {
  readonly #tooMany = new Map<number, (count: number) => void>();
  #watcher: ChildProcess | undefined;
  #counting: NodeJS.Timeout | undefined;

  /** `tooMany` is called when the program has started more than it may. */
  begin(leader: number, tooMany: (count: number) => void): void {
    this.#tooMany.set(leader, tooMany);
    this.#tell(`+ ${leader}`);
    this.#counting ??= setInterval(() => this.#count(), COUNT_EVERY_MS).unref();
  }

  /** Asks all of them to end, or makes them. */
  signal(leader: number, signal: NodeJS.Signals): void {
    // Looked up before: with its parent gone, one that left the group would not be found any more.
    const others = signal === 'SIGKILL' ? processesOf(leader) : [];
    send(-leader, signal);
    for (const pid of others) send(pid, signal);
  }

  /** The leader has ended; what it left behind ends now. */
  end(leader: number): void {
    this.signal(leader, 'SIGKILL');
    this.#tooMany.delete(leader);
    this.#tell(`- ${leader}`);
    if (this.#tooMany.size > 0) return;
    clearInterval(this.#counting);
    this.#counting = undefined;
  }

  close(): void {
    clearInterval(this.#counting);
    this.#watcher?.stdin?.end();
    this.#watcher = undefined;
  }

  #count(): void {
    const table = processTable();
    for (const [leader, tooMany] of this.#tooMany) {
      const { length } = processesOf(leader, table);
      if (length > MAX_PROCESSES) tooMany(length);
    }
  }

  #tell(line: string): void {
    this.#watcher ??= startWatcher();
    this.#watcher.stdin?.write(`${line}\n`);
  }
}

function startWatcher(): ChildProcess {
  // In a session of its own, so that what ends ours does not end it.
  const watcher = spawn('/bin/sh', ['-c', WATCHER], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: {},
  });
  // Where there is no shell, programs still end because their input does.
  watcher.on('error', () => undefined);
  watcher.stdin.on('error', () => undefined);
  watcher.unref();
  (watcher.stdin as unknown as { unref(): void }).unref();
  return watcher;
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It is gone, or has become somebody else's.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

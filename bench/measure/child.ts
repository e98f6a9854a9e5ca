/** Programs to be measured, as processes of their own, and what the kernel says they used. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

export interface Measured {
  readonly pid: number;
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

/** Starts a program and waits for its first line. */
export async function startChild(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Measured & { readonly line: string }> {
  const child = spawn(command, [...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  const ended = once(child, 'exit');
  endWithUs(child);
  child.stdout.setEncoding('utf8');
  while (!out.includes('\n')) {
    const [chunk] = await Promise.race([once(child.stdout, 'data'), ended.then(() => [undefined])]);
    if (typeof chunk !== 'string') throw new Error(`${command} ${args.join(' ')} ended before it was ready`);
    out += chunk;
  }
  return {
    pid: child.pid ?? 0,
    child,
    line: out.slice(0, out.indexOf('\n')),
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

const running = new Set<ChildProcess>();
let watching = false;

/** A benchmark that is stopped leaves nothing running, also when only npm before it was stopped. */
function endWithUs(child: ChildProcess): void {
  running.add(child);
  child.once('exit', () => running.delete(child));
  if (watching) return;
  watching = true;
  const parent = process.ppid;
  const end = (): never => process.exit(1);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end);
  setInterval(() => process.ppid === parent || end(), 1_000).unref();
  process.once('exit', () => {
    for (const one of running) one.kill('SIGTERM');
  });
}

const TICKS_PER_SECOND = 100;

/** User and system time of a process and its threads, in microseconds. */
export function cpuMicros(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1_000_000) / TICKS_PER_SECOND;
}

export function residentBytes(pid: number): number {
  const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1] ?? 0) * 1024;
}

/** The real program as a process: short commands and a running server. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

export const SLUICE = fileURLToPath(new URL('../../bin/sluice', import.meta.url));

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command to its end. Never throws for a non-zero exit. */
export function runSluice(
  home: string,
  args: readonly string[],
  options: { input?: string; env?: Record<string, string>; within?: readonly string[] } = {},
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, SLUICE_HOME: home, ...options.env };
    const [program = '', ...before] = [...(options.within ?? []), SLUICE];
    const child = execFile(
      program,
      [...before, ...args],
      { env, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        const code = error ? error.code : 0;
        if (typeof code === 'number') resolve({ code, stdout, stderr });
        else reject(error);
      },
    );
    child.stdin?.end(options.input ?? '');
  });
}

/** Starts one command that is spoken to before it ends. */
export function startSluice(
  home: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): { readonly child: ChildProcess; readonly ended: Promise<Ended> } {
  const child = spawn(SLUICE, [...args], {
    env: { ...process.env, SLUICE_HOME: home, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (text) => {
    stdout += text;
  });
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  return { child, ended: once(child, 'close').then(([code]) => ({ code, stdout, stderr })) };
}

/** Runs one command with --json and reads what it says; throws with its words when it fails. */
export async function sluiceJson<T = Record<string, unknown>>(home: string, ...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await runSluice(home, [...args, '--json']);
  if (code !== 0) throw new Error(`sluice ${args.join(' ')} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as T;
}

export interface RunningServer {
  readonly process: ChildProcess;
  readonly url: string;
  readonly port: number;
  readonly home: string;
  /** Everything it wrote so far. */
  output(): string;
  kill(signal: NodeJS.Signals): Promise<void>;
  /** SIGTERM and wait. */
  stop(): Promise<void>;
}

/** Starts `sluice serve` and waits until it listens. */
export async function startServer(
  home: string,
  options: { env?: Record<string, string>; port?: number; within?: readonly string[] } = {},
): Promise<RunningServer> {
  const port = options.port ?? (await freePort());
  const [program = '', ...before] = [...(options.within ?? []), SLUICE];
  const child = spawn(program, [...before, 'serve', '--port', String(port), '--json'], {
    env: { ...process.env, SLUICE_HOME: home, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  const ended = once(child, 'exit');
  const kill = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal);
      await ended;
    }
  };
  while (!out.includes('\n')) {
    if (child.exitCode !== null) throw new Error(`sluice serve ended with ${child.exitCode}: ${err}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return {
    process: child,
    url: `http://127.0.0.1:${port}/mcp`,
    port,
    home,
    output: () => out + err,
    kill,
    stop: () => kill('SIGTERM'),
  };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

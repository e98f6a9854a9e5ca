/** Runs a script on the Node.js we run on, and takes it along when we are told to stop. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const running = new Set<ReturnType<typeof spawn>>();

export interface RunOptions {
  readonly env?: Record<string, string>;
  /** Lets the output through as it comes; otherwise it is collected. */
  readonly show?: boolean;
  readonly timeoutMs?: number;
}

export async function runNode(
  args: readonly string[],
  { env, show = false, timeoutMs }: RunOptions,
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', show ? 'inherit' : 'pipe', show ? 'inherit' : 'pipe'],
    ...(timeoutMs === undefined ? {} : { timeout: timeoutMs, killSignal: 'SIGKILL' }),
  });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk;
    });
  }
  const [code, signal] = await once(child, 'close');
  running.delete(child);
  return { code, output: signal ? `${output}\nended by ${signal}` : output };
}

/** PostgreSQL needs no word from us: its supervisor sees that we are gone. */
export function stopOnSignals(): void {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.once(signal, () => {
      for (const child of running) child.kill(signal);
      process.exit(code);
    });
  }
}

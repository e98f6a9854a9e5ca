/** `sluice sync` as a process that can be killed and started again. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { SLUICE } from './process.ts';

export interface RunningSync {
  readonly process: ChildProcess;
  /** Everything it said so far. */
  output(): string;
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Waits until it has told of its first round. */
  ready(): Promise<void>;
}

export function startSync(home: string, folder: string, ...options: string[]): RunningSync {
  const child = spawn(SLUICE, ['sync', folder, '--json', ...options], {
    env: { ...process.env, SLUICE_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  let reports = '';
  child.stdout.on('data', (chunk) => {
    reports += chunk;
    said += chunk;
  });
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const ended = once(child, 'exit');
  const isOver = (): boolean => child.exitCode !== null || child.signalCode !== null;
  return {
    process: child,
    output: () => said,
    async kill(signal) {
      if (isOver()) return;
      child.kill(signal);
      await ended;
    },
    async ready() {
      while (!reports.includes('\n')) {
        if (isOver()) throw new Error(`sluice sync ended with ${child.exitCode}: ${said}`);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
  };
}

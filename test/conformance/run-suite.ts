/** Runs the official suite's requirements of one revision against a server and brings back what it counted. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const SUITE = fileURLToPath(
  new URL('../peers/node_modules/@modelcontextprotocol/conformance/', import.meta.url),
);
const KNOWN_FAILURES = fileURLToPath(new URL('known-failures.yaml', import.meta.url));

export interface SuiteRun {
  /** 0 only when every required scenario passes but the known failures, and each of those still fails. */
  readonly code: number | null;
  readonly output: string;
  /** By scenario: how many checks passed and failed. */
  readonly counts: ReadonlyMap<string, { readonly passed: number; readonly failed: number }>;
}

export const runSuite = (url: string, revision: string, known = KNOWN_FAILURES): Promise<SuiteRun> =>
  run(['server', '--url', url, '--requirements', revision], known);

/** The same for a client: a program that is given the address of the suite's server. */
export const runClientSuite = (program: string, revision: string): Promise<SuiteRun> => {
  const command = `${process.execPath} ${program}`;
  // All scenarios run at once; the program of one may have to wait long for its turn.
  return run(['client', '--command', command, '--requirements', revision, '--timeout', '100000']);
};

async function run(wish: readonly string[], known = KNOWN_FAILURES): Promise<SuiteRun> {
  const args = [...wish, '--expected-failures', known];
  const child = spawn(process.execPath, [`${SUITE}dist/index.js`, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const [code] = await once(child, 'close');
  const lines = output.matchAll(/^[✓✗] (\S+): (\d+) passed, (\d+) failed/gm);
  const counts = [...lines].map(
    ([, name = '', passed, failed]) => [name, { passed: Number(passed), failed: Number(failed) }] as const,
  );
  return { code, output, counts: new Map(counts) };
}

/** The scenarios that a server or a client has to pass, as the suite froze them for a revision. */
export function requiredScenarios(revision: string, role: 'server' | 'client' = 'server'): readonly string[] {
  return parse(readFileSync(`${SUITE}requirements/${revision}.yaml`, 'utf8'))[role];
}

/** Those of them that are known to fail. */
export const knownFailures = (role: 'server' | 'client'): readonly string[] =>
  parse(readFileSync(KNOWN_FAILURES, 'utf8'))[role];

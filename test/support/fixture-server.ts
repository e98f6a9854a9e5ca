/**
 * Sluice with the fixture tools, as `sluice serve` would be: in this process for tests that look inside, and as
 * a program of its own (this file run by Node.js) for tests that send signals.
 */
import { type Daemon, startDaemon } from '../../src/app/serve.ts';
import { waitForStop } from '../../src/app/signals.ts';
import type { Family } from '../../src/catalogue/family.ts';
import type { Config } from '../../src/config/keys.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { createLog } from '../../src/kernel/log.ts';
import { bindFixtures } from './fixture-family.ts';
import { freePort } from './process.ts';

export interface FixtureServer extends Daemon {
  readonly port: number;
  readonly home: string;
  /** What the fixture tools were given, in order. */
  readonly seen: readonly { readonly tool: string; readonly input: unknown }[];
  /** Everything it logged. */
  log(): string;
}

export async function startFixtureServer(
  home: string,
  config: Partial<Config> = {},
  further: readonly Family[] = [],
): Promise<FixtureServer> {
  const port = config['server.port'] ?? (await freePort());
  const seen: { tool: string; input: unknown }[] = [];
  const lines: string[] = [];
  const daemon = await startDaemon({
    home,
    config: loadConfig(home, {}, { ...config, 'server.port': port }).config,
    log: createLog(systemClock, 'debug', (line) => lines.push(line)),
    http: true,
    families: [bindFixtures({ seen: (tool, input) => seen.push({ tool, input }) }), ...further],
  });
  return { ...daemon, port, home, seen, log: () => lines.join('\n') };
}

/** The path of this file, to be run with the same Node.js as the tests. */
export const FIXTURE_PROGRAM = import.meta.filename;

if (import.meta.main) {
  const [home = '', port = ''] = process.argv.slice(2);
  const server = await startFixtureServer(home, { 'server.port': Number(port) });
  process.stdout.write(`${JSON.stringify({ url: server.url })}\n`);
  await waitForStop();
  await server.close();
}

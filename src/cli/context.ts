/** What a command works with: the home, its configuration, a way to its tools, and somewhere to speak. */
import type { HomeClient } from '../app/home-client.ts';
import { openHome } from '../app/home-client.ts';
import { findHome } from '../config/home.ts';
import type { Config } from '../config/keys.ts';
import { type LoadedConfig, loadConfig } from '../config/load-config.ts';
import { systemClock } from '../kernel/clock.ts';
import { invalidInput } from '../kernel/errors.ts';
import { createLog, type Log, silentLog } from '../kernel/log.ts';
import type { Output } from './output.ts';

export interface CliContext {
  readonly home: string;
  readonly json: boolean;
  readonly output: Output;
  loadConfig(overrides?: Partial<Config>): LoadedConfig;
  log(config: Config): Log;
  /** Calls one tool as the owner, over the running Sluice or in this process. */
  call(
    tool: string,
    input?: Readonly<Record<string, unknown>>,
    workspace?: string,
  ): Promise<Record<string, unknown>>;
  /** Keeps the way open for several calls. */
  withHome<T>(work: (home: HomeClient) => Promise<T>): Promise<T>;
}

export function createContext(givenHome: string | undefined, json: boolean, output: Output): CliContext {
  // Most likely a variable that is not set: the default home is not what was meant.
  if (givenHome === '') throw invalidInput('--home', 'must not be empty');
  const home = findHome(givenHome);
  const load = (overrides: Partial<Config> = {}): LoadedConfig => loadConfig(home, undefined, overrides);
  const log = (config: Config): Log =>
    createLog(systemClock, config['log.level'], (line) => output.talk(line));

  const withHome = async <T>(work: (client: HomeClient) => Promise<T>): Promise<T> => {
    const { config } = load();
    // A command's own work is not worth a log line below a warning, and for programs the error says it all.
    const quiet = json ? silentLog : createLog(systemClock, 'warn', (line) => output.talk(line));
    const client = await openHome({ home, config, log: quiet });
    try {
      return await work(client);
    } finally {
      await client.close();
    }
  };
  return {
    home,
    json,
    output,
    loadConfig: load,
    log,
    withHome,
    call: (tool, input = {}, workspace) => withHome((client) => client.call(tool, input, workspace)),
  };
}

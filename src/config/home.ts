/** Which folder is the home: the one given, else SLUICE_HOME, else by the XDG rules. */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Environment } from './load-config.ts';

export function findHome(given: string | undefined, env: Environment = process.env): string {
  if (given !== undefined && given !== '') return resolve(given);
  if (env.SLUICE_HOME) return resolve(env.SLUICE_HOME);
  return join(env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'sluice');
}

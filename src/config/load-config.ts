/** Reads the configuration: defaults, then the home's config.json, then the environment, then what a command was given. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SluiceError } from '../kernel/errors.ts';
import { systemCode } from '../kernel/system-code.ts';
import { CONFIG_KEYS, type Config, type ConfigKey, type ConfigName } from './keys.ts';

export type ConfigSource = 'default' | 'config.json' | 'environment' | 'command';

export interface LoadedConfig {
  readonly config: Config;
  readonly sources: Readonly<Record<ConfigName, ConfigSource>>;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export function loadConfig(
  home: string,
  env: Environment = process.env,
  given: Partial<Config> = {},
): LoadedConfig {
  const file = readConfigFile(join(home, 'config.json'));
  const values: Record<string, unknown> = {};
  const sources: Record<string, ConfigSource> = {};
  for (const name of configNames()) {
    const key: ConfigKey = CONFIG_KEYS[name];
    const fromEnv = key.env === undefined ? undefined : env[key.env];
    const [value, source] = pick(given[name], fromEnv, file[name], key.fallback);
    values[name] =
      source === 'environment' ? readText(name, key, String(value)) : check(name, key, value, source);
    sources[name] = source;
  }
  return { config: values as Config, sources: sources as LoadedConfig['sources'] };
}

export const configNames = (): ConfigName[] => Object.keys(CONFIG_KEYS) as ConfigName[];

function pick(given: unknown, env: unknown, file: unknown, fallback: unknown): [unknown, ConfigSource] {
  if (given !== undefined) return [given, 'command'];
  if (env !== undefined && env !== '') return [env, 'environment'];
  return file === undefined ? [fallback, 'default'] : [file, 'config.json'];
}

/** Flat keys such as "server.port"; anything else in the file is a mistake worth hearing about. */
function readConfigFile(path: string): Readonly<Record<string, unknown>> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT') return {};
    throw new SluiceError('unavailable', `The configuration ${path} cannot be read (${code})`, {}, error);
  }
  const parsed = parse(path, text);
  const unknown = Object.keys(parsed).find((name) => !Object.hasOwn(CONFIG_KEYS, name));
  if (unknown !== undefined) {
    throw wrong(`${path} has the unknown key "${unknown}"; there is ${configNames().join(', ')}`);
  }
  return parsed;
}

function parse(path: string, text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw wrong(`${path} must hold one JSON object such as {"server.port": 7862}`);
}

function readText(name: string, key: ConfigKey, text: string): unknown {
  const number = Number(text);
  const value = key.shape.safeParse(text).success || Number.isNaN(number) ? text : number;
  return check(name, key, value, 'environment');
}

function check(name: string, key: ConfigKey, value: unknown, source: ConfigSource): unknown {
  const answer = key.shape.safeParse(value);
  if (answer.success) return answer.data;
  const from = source === 'environment' ? key.env : source;
  const given = key.secret ? 'what it is' : JSON.stringify(value).slice(0, MAX_SHOWN);
  throw wrong(`"${name}" (from ${from}) must not be ${given}. ${key.meaning}`);
}

/** Of a value that is wrong, as much as helps to find it. */
const MAX_SHOWN = 100;

const wrong = (message: string): SluiceError => new SluiceError('invalid_input', message);

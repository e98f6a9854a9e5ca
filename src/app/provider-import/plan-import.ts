/** Looks through the configurations of other programs and says what could be registered. Registers and runs nothing. */
import { readFileSync, statSync } from 'node:fs';
import { systemCode } from '../../kernel/system-code.ts';
import { type ConfigPlace, configPlaces, type Surroundings } from './config-places.ts';
import { findServers } from './find-servers.ts';
import { type PlannedServer, planServer, visible } from './plan-server.ts';
import { readJsonc } from './read-jsonc.ts';
import { readToml } from './read-toml.ts';

export interface PlannedImport extends PlannedServer {
  /** What it would be called here. */
  readonly id: string;
  readonly name: string;
  readonly from: ConfigPlace['program'];
  readonly file: string;
  readonly scope: string | null;
}

export interface ImportPlan {
  readonly servers: readonly PlannedImport[];
  /** Files that are there and could not be read. */
  readonly unread: readonly { readonly file: string; readonly problem: string }[];
}

const MAX_FILE_BYTES = 8 * 1024 * 1024;
const MAX_SERVERS = 500;

export function planImport(at: Surroundings, from: string | undefined): ImportPlan {
  const taken = new Set<string>();
  const servers: PlannedImport[] = [];
  const unread: { file: string; problem: string }[] = [];
  for (const { program, path } of configPlaces(at, from)) {
    try {
      const config = readConfig(path, program === 'file');
      for (const { name, scope, server } of findServers(config).slice(0, MAX_SERVERS))
        servers.push({
          id: idFor(name, taken),
          name: visible(name).slice(0, 100),
          from: program,
          file: path,
          scope: scope === null ? null : visible(scope),
          ...planServer(server),
        });
    } catch (error) {
      unread.push({ file: path, problem: problemOf(error) });
    }
  }
  return { servers, unread };
}

/** A program that is not installed has no file, and that is no problem; a file that was named must be there. */
function readConfig(path: string, wanted: boolean): unknown {
  let text: string;
  try {
    if (statSync(path).size > MAX_FILE_BYTES) throw new RangeError(`is larger than ${MAX_FILE_BYTES} bytes`);
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (!wanted && ['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return {};
    throw error;
  }
  return path.endsWith('.toml') ? readToml(text) : readJsonc(text);
}

/** Never with a piece of the file, which may be a secret. */
function problemOf(error: unknown): string {
  const code = systemCode(error);
  if (code !== undefined) return `cannot be read (${code})`;
  if (error instanceof RangeError) return error.message;
  const place = /line \d+|position \d+/.exec(String(error))?.[0];
  return `is not what it should be${place === undefined ? '' : ` (${place})`}`;
}

/** An id like the name, and one that no other entry has. */
function idFor(name: string, taken: Set<string>): string {
  const word = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^[^a-z]+|_+$/g, '')
    .slice(0, 28);
  const base = word === '' ? 'server' : word;
  let id = base;
  for (let number = 2; taken.has(id); number += 1) id = `${base}_${number}`;
  taken.add(id);
  return id;
}

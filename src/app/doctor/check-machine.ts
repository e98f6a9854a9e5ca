/** What stands between a home and the machine it is on: its port, its socket, its database server, others' files. */
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Config } from '../../config/keys.ts';
import { clampPort } from '../../domain/governance/settings.ts';
import type { HomeLayout } from '../../drivers/home/home-layout.ts';
import { asSluiceError } from '../../kernel/errors.ts';
import { bad, type Finding, good, quoted } from './finding.ts';

/** An older one does not come this far: the program refuses to start, with the same words as a fix would have. */
export const checkNode = (): Finding =>
  good('node', `Node.js ${process.versions.node}, SQLite ${process.versions.sqlite ?? 'unknown'}`);

/** Only where no Sluice of this home has it. */
export async function checkPort(config: Config, setting: number): Promise<Finding> {
  const [host, port] = [config['server.host'], clampPort(config['server.port'] ?? setting)];
  const server = createServer();
  const code = await new Promise<string | undefined>((settle) => {
    server.once('error', (error: NodeJS.ErrnoException) => settle(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => settle(undefined)));
  });
  if (code === undefined) return good('port', `${host}:${port} is free for "sluice serve"`);
  return bad(
    'port-taken',
    `nothing can listen at ${host}:${port} (${code})`,
    `stop what has it, or choose another: sluice tool call set_mcp_port '{"port":${port + 1}}'`,
  );
}

/** A socket that nobody answers at was left by a process that was killed. */
export function checkSocket({ socket, running }: HomeLayout): Finding {
  if (!existsSync(socket)) return good('socket', 'nothing is left of a former server');
  return bad(
    'socket-left',
    `${socket} was left by a server that did not end in order`,
    `start it again with "sluice serve", or rm -f ${quoted(socket)} ${quoted(running)}`,
  );
}

/** Loaded only where it is used. */
export async function checkPostgres(config: Config): Promise<Finding> {
  const { askPostgres } = await import('../../drivers/store/postgres/check.ts');
  try {
    return good('store', `PostgreSQL ${await askPostgres(config['store.url'] ?? '')} answers`);
  } catch (error) {
    const { cause } = asSluiceError(error);
    const reason = (cause as NodeJS.ErrnoException | undefined)?.code ?? 'no answer';
    return bad(
      'store-unreachable',
      `PostgreSQL does not answer (${reason})`,
      'start the server, or mend "store.url": see "sluice config explain store.url"',
    );
  }
}

/** Where the clients people use keep their servers, in the folder one is in and in one's own. */
const CLIENT_FILES = [
  '.mcp.json',
  '.cursor/mcp.json',
  '.vscode/mcp.json',
  '.codex/config.toml',
  '.gemini/settings.json',
  '.codeium/windsurf/mcp_config.json',
  '.claude.json',
  '.config/Claude/claude_desktop_config.json',
] as const;

const TOKENS = /\b[0-9a-f]{64}\b/g;

/** Files with something in them that looks like a token. */
export function filesWithTokens(): { readonly path: string; readonly tokens: readonly string[] }[] {
  const paths = [process.cwd(), homedir()].flatMap((folder) =>
    CLIENT_FILES.map((file) => join(folder, file)),
  );
  return [...new Set(paths.map((path) => resolve(path)))].flatMap((path) => {
    const tokens = readQuietly(path).match(TOKENS) ?? [];
    return tokens.length > 0 ? [{ path, tokens }] : [];
  });
}

/** A file of another program that cannot be read is not ours to complain about. */
function readQuietly(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

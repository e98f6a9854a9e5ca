/** What can be seen of a home without opening it. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config/keys.ts';
import type { HomeLayout } from '../../drivers/home/home-layout.ts';
import { checkDatabase } from '../../drivers/store/sqlite/check.ts';
import { bad, damaged, type Finding, good, quoted } from './finding.ts';

const LEAST_FREE_BYTES = 100 * 1024 * 1024;
const PROBE_BYTES = 64 * 1024;

/** By writing: rights, quotas and read-only disks show themselves in no other way for certain. */
export function checkDisk({ root }: HomeLayout): Finding {
  const probe = join(root, '.doctor');
  try {
    const file = openSync(probe, 'w', 0o600);
    try {
      writeSync(file, Buffer.alloc(PROBE_BYTES));
      fsyncSync(file);
    } finally {
      closeSync(file);
      rmSync(probe, { force: true });
    }
  } catch (error) {
    return notWritable(root, (error as NodeJS.ErrnoException).code ?? String(error));
  }
  const { bavail, bsize } = statfsSync(root);
  const free = `${Math.floor((bavail * bsize) / 1024 / 1024)} MiB free`;
  if (bavail * bsize >= LEAST_FREE_BYTES) return good('disk', free);
  return bad('disk-full', free, 'make room on the disk: writes will fail soon');
}

function notWritable(root: string, code: string): Finding {
  if (['ENOSPC', 'EDQUOT'].includes(code))
    return bad('disk-full', `nothing more can be written to ${root}`, 'make room on the disk');
  if (code === 'EROFS')
    return bad(
      'disk-read-only',
      `${root} lies on a read-only disk`,
      'mount it for writing, or choose another home',
    );
  return bad(
    'home-not-writable',
    `${root} cannot be written (${code})`,
    `give yourself the right to it (chown -R "$USER" ${quoted(root)}), or choose another with --home`,
  );
}

export function checkPermissions(layout: HomeLayout): Finding {
  const open = [layout.root, ...below(layout.root)].filter((path) => (modeOf(path) & 0o077) !== 0);
  const [first] = open;
  if (first === undefined) return good('permissions', 'only the owner can read the home');
  const others = open.length > 1 ? ` and ${open.length - 1} more` : '';
  return bad('permissions', `others may use ${first}${others}`, `chmod -R go-rwx ${quoted(layout.root)}`);
}

/** Links are not followed and have no rights of their own; a file that has just gone is nobody's any more. */
function modeOf(path: string): number {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return !stat || stat.isSymbolicLink() ? 0 : stat.mode;
}

const below = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) =>
    join(entry.parentPath, entry.name),
  );

export function checkStore({ database }: HomeLayout): Finding {
  const problem = checkDatabase(database);
  if (problem === undefined) return good('store', 'the database is sound');
  return damaged(
    'store-damaged',
    `the database is damaged: ${problem}`,
    'stop Sluice and put the last backup in place with "sluice restore FOLDER --yes"',
  );
}

/** Before anybody opens the home, because that begins a new file. */
export function checkHeads({ heads }: HomeLayout): Finding {
  const newest = join(heads, 'newest');
  const text = existsSync(newest) ? readFileSync(newest, 'latin1') : '';
  if (text.includes('"signature"')) return good('audit-heads', 'the newest head of the audit log is signed');
  return damaged(
    'audit-heads-missing',
    `the signed heads of the audit log are not in ${newest}`,
    'put the audit-heads folder of a backup back, or check the log against an export with "sluice audit verify --heads FILE"; the next start begins new heads',
  );
}

/** Its own secrets lie sealed in the store; the file is for settings that may be seen. */
export function checkConfigSecrets({ config }: HomeLayout): Finding {
  const text = existsSync(config) ? readFileSync(config, 'utf8') : '';
  if (!TOKEN.test(text)) return good('config-secrets', 'no token in config.json');
  return bad(
    'token-in-config',
    `${config} holds what looks like a token`,
    'take it out, and make it void with "sluice token rotate" or "sluice client revoke NAME"',
  );
}

const TOKEN = /\b[0-9a-f]{64}\b/;

export const usesFiles = (config: Config): boolean => config['store.kind'] === 'sqlite';

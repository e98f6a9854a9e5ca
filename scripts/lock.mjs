// Keeps package-lock.json installable everywhere: `npm ci` fails on optional dependencies that name a platform
// build nobody published, and a download address ties the lock to one registry. With --fix it mends the first.
import { readFileSync, writeFileSync } from 'node:fs';

const locks = ['package-lock.json', 'test/peers/package-lock.json'];
const fix = process.argv.includes('--fix');
const findings = [];

for (const path of locks) {
  const text = readIfThere(path);
  if (text === undefined) continue;
  const lock = JSON.parse(text);
  const dangling = danglingOptionals(lock.packages);
  if (fix) {
    for (const { at, name } of dangling) delete lock.packages[at].optionalDependencies[name];
    writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
  } else if (dangling.length > 0) {
    const names = [...new Set(dangling.map(({ name }) => name))].slice(0, 5).join(', ');
    findings.push(
      `${path}: ${dangling.length} optional dependencies have no entry (${names}); run npm run lock`,
    );
  }
  for (const [at, entry] of Object.entries(lock.packages)) {
    if (entry.resolved?.startsWith('http')) findings.push(`${path}: ${at} names a download address`);
    if (entry.hasInstallScript && path === locks[0]) findings.push(`${path}: ${at} has an install script`);
  }
}

for (const finding of findings) console.error(finding);
process.exit(findings.length > 0 ? 1 : 0);

function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** npm looks a dependency up from the innermost node_modules outwards, so an edge dangles when no level has it. */
function danglingOptionals(packages) {
  const found = [];
  for (const [at, entry] of Object.entries(packages)) {
    if (at === '') continue;
    for (const name of Object.keys(entry.optionalDependencies ?? {})) {
      const levels = at
        .split('/node_modules/')
        .map((_, depth, all) => all.slice(0, depth + 1).join('/node_modules/'));
      const places = [`node_modules/${name}`, ...levels.map((level) => `${level}/node_modules/${name}`)];
      if (!places.some((place) => packages[place])) found.push({ at, name });
    }
  }
  return found;
}

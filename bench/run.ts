/** Runs benchmarks by name, or all of them: `npm run bench -- call`. Each prints ratios against a named baseline. */
import { call } from './call.ts';
import { firewall } from './firewall.ts';
import { pages } from './pages.ts';
import { providers } from './providers.ts';
import { rename } from './rename.ts';
import { retrieval } from './retrieval.ts';
import { start } from './start.ts';
import { sync } from './sync.ts';
import { toolsSearch } from './tools-search.ts';
import { vault } from './vault.ts';

const benchmarks: Readonly<Record<string, () => Promise<void>>> = {
  call,
  start,
  pages,
  rename,
  vault,
  retrieval,
  sync,
  'tools-search': toolsSearch,
  providers,
  firewall,
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(benchmarks, name));
if (unknown.length > 0) {
  console.error(
    `There is no benchmark ${unknown.join(', ')}; there is ${Object.keys(benchmarks).join(', ')}`,
  );
  process.exit(2);
}
for (const [name, run] of Object.entries(benchmarks)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n== ${name}`);
  await run();
}

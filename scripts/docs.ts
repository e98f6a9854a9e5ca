/** `npm run docs` writes the reference pages from data; with --check it only says which are out of date. */
import { generators } from './docs/generators.ts';
import { findStalePages, writePages } from './docs/write-pages.ts';

if (process.argv.includes('--check')) {
  const stale = await findStalePages('.', generators);
  for (const finding of stale) console.error(finding);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  const changed = await writePages('.', generators);
  console.log(changed.length > 0 ? `Changed: ${changed.join(', ')}` : 'All pages are current');
}

// `npm run check`: format, types, layers, unused code, lock and documents, each a named step. Plain JavaScript, so
// that an older Node.js gets as far as saying what to do.
import { requireNode } from './require-node.mjs';

requireNode('npm run check');
const { runCheck } = await import('./check/run-check.ts');
process.exitCode = (await runCheck()).length > 0 ? 1 : 0;

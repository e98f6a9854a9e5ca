// `npm test [suite…] [--soak]`: everything, or the suites named. Plain JavaScript, so that an older Node.js gets as
// far as saying what to do.
import { requireNode } from './require-node.mjs';

requireNode('npm test');
const { runTests } = await import('./test/run-tests.ts');
process.exitCode = await runTests(process.argv.slice(2));

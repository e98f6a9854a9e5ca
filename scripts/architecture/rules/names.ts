/** File and folder names: kebab-case, and none of the words under which anything could be filed. */
import type { CheckedFile, Finding } from '../finding.ts';

const kebab = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const empty = new Set([
  'utils',
  'util',
  'helpers',
  'helper',
  'common',
  'manager',
  'service',
  'v2',
  'new',
  'legacy',
]);

export function* names(file: CheckedFile): Iterable<Finding> {
  // `name.test.ts` and `name.worker.ts` are a name and its kind.
  const segments = file.path.replace(/\.[cm]?[jt]sx?$/, '').split('/');
  for (const segment of segments.flatMap((one) => one.split('.'))) {
    if (!kebab.test(segment)) {
      yield { rule: 'name-case', at: 0, message: `"${segment}" is not kebab-case` };
    }
    for (const word of segment.split('-').filter((one) => empty.has(one))) {
      // The protocol itself calls its older clients legacy, so there the word means something.
      if (word === 'legacy' && file.path.startsWith('surfaces/mcp/')) continue;
      yield { rule: 'name-word', at: 0, message: `"${word}" says nothing about what is inside` };
    }
  }
}

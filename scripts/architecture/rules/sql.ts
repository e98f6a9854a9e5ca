/** SQL is written only where a database client may be: everything above a store speaks of things, not rows. */
import { type Node, textOf, walk } from '../../source/source-file.ts';
import type { CheckedFile, Finding, Tree } from '../finding.ts';
import { isWithin } from '../layer-table.ts';

const statement = /\b(select\s.+\sfrom|insert\s+into|update\s.+\sset|delete\s+from|create\s+table)\b/is;
const clients = new Set(['node:sqlite', 'pg', 'kysely']);

export function sql(file: CheckedFile, tree: Tree): Finding[] {
  const found: Finding[] = [];
  const homes = tree.table.reserved.flatMap(({ module, only }) =>
    module && clients.has(module) ? only : [],
  );
  if (isWithin(file.path, homes)) return found;
  walk(file.source.program, (node, parent) => {
    // A concatenation is read as one text, so its pieces are not read again.
    if (parent && isConcatenation(parent)) return;
    const text = textOf(node)?.text;
    if (text === undefined || !statement.test(text)) return;
    const message = `holds SQL, which belongs in ${[...new Set(homes)].join(' and ')}`;
    found.push({ rule: 'sql', at: node.start, message });
  });
  return found;
}

function isConcatenation(node: Node): boolean {
  return node.type === 'BinaryExpression' && node.operator === '+';
}

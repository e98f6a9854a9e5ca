/** Reads which rules the tests cite: ids in brackets in the titles of it, test and describe, found statically. */
import { join } from 'node:path';
import { listFiles } from '../source/list-files.ts';
import { memberName, type Node, readSource, textOf, walk } from '../source/source-file.ts';
import { ruleId } from './read-rules.ts';

export interface Citation {
  readonly id: string;
  /** `path:line` below the root. */
  readonly where: string;
}

const bracketed = new RegExp(`\\[(${ruleId.source})\\]`, 'g');

export function readCitations(root: string): Citation[] {
  const isTest = (path: string): boolean =>
    /\.(test|contract)\.ts$/.test(path) && !path.startsWith('fixtures/');
  const files = ['src', 'test'].flatMap((folder) =>
    listFiles(join(root, folder), isTest).map((path) => `${folder}/${path}`),
  );
  return files.flatMap((path) => citationsIn(root, path));
}

function citationsIn(root: string, path: string): Citation[] {
  const source = readSource(join(root, path));
  const found: Citation[] = [];
  walk(source.program, (node) => {
    if (node.type !== 'CallExpression' || !node.arguments[0] || !declaresTest(node.callee)) return;
    const title = textOf(node.arguments[0])?.text ?? '';
    for (const [, id] of title.matchAll(bracketed)) {
      if (id !== undefined) found.push({ id, where: `${path}:${source.lineAt(node.start)}` });
    }
  });
  return found;
}

/**
 * `it`, `it.each(rows)`, `` it.each`rows` ``, `describe.skipIf(x)` and so on. What is switched off for good by
 * `skip` or `todo` shows nothing, so it cites nothing.
 */
function declaresTest(callee: Node): boolean {
  switch (callee.type) {
    case 'Identifier':
      return /^(it|test|describe)$/.test(callee.name);
    case 'MemberExpression':
      return !/^(skip|todo)$/.test(memberName(callee) ?? '') && declaresTest(callee.object);
    case 'CallExpression':
      return declaresTest(callee.callee);
    case 'TaggedTemplateExpression':
      return declaresTest(callee.tag);
    default:
      return false;
  }
}

/** Handlers have one way in: only the pipeline's last step calls them, so nothing goes round the other steps. */
import { bare, keyName, memberName, type Node, walk } from '../../source/source-file.ts';
import type { CheckedFile, Finding } from '../finding.ts';

const wayIn = 'gateway/steps/run-handler.ts';

export function handlers(file: CheckedFile): Finding[] {
  const found: Finding[] = [];
  // A tool's own test may call what it tests; it is no part of the product.
  if (file.path === wayIn || file.isTest) return found;
  const aliases = aliasesOf(file.source.program);
  walk(file.source.program, (node, parent) => {
    if (node.type !== 'CallExpression' || !reachesHandler(node, aliases)) return;
    // What is bound and stays under the name is still a handler, and still watched.
    if (memberName(bare(node.callee)) === 'bind' && parent && keyName(parent) === 'handler') return;
    const message = `reaches a handler; only ${wayIn} may, everybody else goes through dispatch`;
    found.push({ rule: 'handler-call', at: node.start, message });
  });
  return found;
}

/** Calls it, calls it by `call` or `apply`, binds it, or hands it to somebody who could (`Reflect.apply`). */
function reachesHandler(call: Node & { type: 'CallExpression' }, aliases: ReadonlySet<string>): boolean {
  const callee = bare(call.callee);
  if (isHandler(callee, aliases) || call.arguments.some((argument) => isHandler(argument, aliases)))
    return true;
  return callee.type === 'MemberExpression' && isHandler(callee.object, aliases);
}

function isHandler(node: Node, aliases: ReadonlySet<string>): boolean {
  const value = bare(node);
  if (value.type === 'Identifier') return aliases.has(value.name);
  return memberName(value) === 'handler';
}

/** Names under which a file holds a handler: `const { handler: run } = tool`, `const run = tool.handler`. */
function aliasesOf(program: Node): Set<string> {
  const aliases = new Set<string>();
  walk(program, (node) => {
    if (node.type === 'ObjectPattern') {
      for (const property of node.properties) {
        if (property.type !== 'Property' || keyName(property) !== 'handler') continue;
        const bound = property.value.type === 'AssignmentPattern' ? property.value.left : property.value;
        if (bound.type === 'Identifier') aliases.add(bound.name);
      }
    }
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier' && node.init) {
      if (memberName(bare(node.init)) === 'handler') aliases.add(node.id.name);
    }
  });
  return aliases;
}

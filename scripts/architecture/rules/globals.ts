/** Reserved globals such as `console` and `process.env`, under whatever name a file gets hold of them. */
import { bare, keyName, memberName, type Node, type SourceFile, walk } from '../../source/source-file.ts';
import type { CheckedFile, Finding, Tree } from '../finding.ts';
import { isWithin } from '../layer-table.ts';

export function* globals(file: CheckedFile, tree: Tree): Iterable<Finding> {
  if (file.isTest) return;
  for (const { global, only } of tree.table.reserved) {
    if (global === undefined || isWithin(file.path, only)) continue;
    for (const at of uses(file.source, global)) {
      yield { rule: 'reserved-global', at, message: `${global} is reserved for ${only.join(', ')}` };
    }
  }
}

function uses(source: SourceFile, global: string): number[] {
  const [object = global, member] = global.split('.');
  const aliases = new Set([object]);
  const found: number[] = [];
  walk(source.program, (node, parent, key) => {
    if (node.type === 'ImportDeclaration') found.push(...importedUses(node, object, member, aliases));
    const used = member === undefined ? isObject(node, parent, key) : isMember(node, member);
    if (used) found.push(node.start);
  });
  return found;

  function isObject(node: Node, parent: Node | undefined, key: string): boolean {
    if (node.type === 'MemberExpression') return memberName(node) === object && isGlobalThis(node.object);
    return node.type === 'Identifier' && aliases.has(node.name) && readsVariable(parent, key);
  }

  function isMember(node: Node, name: string): boolean {
    if (node.type === 'MemberExpression') return memberName(node) === name && holds(node.object);
    if (node.type !== 'VariableDeclarator' || node.id.type !== 'ObjectPattern' || !node.init) return false;
    return holds(node.init) && node.id.properties.some((property) => keyName(property) === name);
  }

  function holds(expression: Node): boolean {
    const value = bare(expression);
    if (value.type === 'Identifier') return aliases.has(value.name);
    return value.type === 'MemberExpression' && memberName(value) === object && isGlobalThis(value.object);
  }
}

/** `import { env } from 'node:process'` is a use; `import p from 'node:process'` is another name to look for. */
function importedUses(
  node: Node & { type: 'ImportDeclaration' },
  object: string,
  member: string | undefined,
  aliases: Set<string>,
): number[] {
  if (node.source.value.replace(/^node:/, '') !== object || node.importKind === 'type') return [];
  if (member === undefined) return [node.start];
  const found: number[] = [];
  for (const specifier of node.specifiers) {
    if (specifier.type !== 'ImportSpecifier') aliases.add(specifier.local.name);
    else if (specifier.imported.type === 'Identifier' && specifier.imported.name === member) {
      found.push(specifier.start);
    }
  }
  return found;
}

function isGlobalThis(node: Node): boolean {
  return node.type === 'Identifier' && node.name === 'globalThis';
}

/** An identifier reads a variable unless it only names a property, a key or a label. */
function readsVariable(parent: Node | undefined, key: string): boolean {
  if (!parent) return false;
  if (parent.type === 'MemberExpression') return key === 'object' || parent.computed;
  if (key === 'key') return 'computed' in parent && parent.computed === true;
  return !/^(TSTypeReference|TSQualifiedName|Import.*|Export.*|LabeledStatement)$/.test(parent.type);
}

/** A parsed source file, a walk over its tree, and the few questions about nodes that several checks ask. */
import { readFileSync } from 'node:fs';
import { type Node, type Program, parseSync, visitorKeys } from 'oxc-parser';

export type { Node } from 'oxc-parser';

export interface SourceFile {
  readonly program: Program;
  /** What the parser could not read; a tree with holes would hide findings, so callers report these. */
  readonly errors: readonly { message: string; at: number }[];
  lineAt(offset: number): number;
}

export function readSource(path: string): SourceFile {
  const text = readFileSync(path, 'utf8');
  const { program, errors } = parseSync(path, text, { preserveParens: false });
  return {
    program,
    errors: errors.map(({ message, labels }) => ({ message, at: labels[0]?.start ?? 0 })),
    lineAt: (offset) => text.slice(0, offset).split('\n').length,
  };
}

export type Visit = (node: Node, parent: Node | undefined, key: string) => void;

export function walk(node: Node, visit: Visit, parent?: Node, key = ''): void {
  visit(node, parent, key);
  for (const childKey of visitorKeys[node.type] ?? []) {
    const child: unknown = Reflect.get(node, childKey);
    for (const one of Array.isArray(child) ? child : [child]) {
      if (isNode(one)) walk(one, visit, node, childKey);
    }
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

/** The text of a string, template or concatenation; `whole` is false when part of it is computed. */
export function textOf(node: Node): { text: string; whole: boolean } | undefined {
  if (node.type === 'Literal') {
    return typeof node.value === 'string' ? { text: node.value, whole: true } : undefined;
  }
  if (node.type === 'TemplateLiteral') {
    const pieces = node.quasis.map((quasi) => quasi.value.cooked ?? quasi.value.raw);
    return { text: pieces.join('…'), whole: pieces.length === 1 };
  }
  if (node.type === 'BinaryExpression' && node.operator === '+') {
    const left = textOf(node.left);
    const right = textOf(node.right);
    if (!left && !right) return undefined;
    return { text: (left?.text ?? '…') + (right?.text ?? '…'), whole: !!left?.whole && !!right?.whole };
  }
  return undefined;
}

/** `b` for `a.b`, `a?.b` and `a['b']`. */
export function memberName(node: Node): string | undefined {
  if (node.type !== 'MemberExpression') return undefined;
  if (node.computed) return textOf(node.property)?.text;
  return node.property.type === 'Identifier' ? node.property.name : undefined;
}

/** The name an object key or a pattern key stands for. */
export function keyName(property: Node): string | undefined {
  if (property.type !== 'Property') return undefined;
  if (property.key.type === 'Identifier' && !property.computed) return property.key.name;
  return textOf(property.key)?.text;
}

/** Sees through `?.`, `!` and `as`, none of which change what is called or read. */
export function bare(node: Node): Node {
  switch (node.type) {
    case 'ChainExpression':
    case 'TSNonNullExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return bare(node.expression);
    default:
      return node;
  }
}

/** Finds everything by which one file reaches for another module, whatever the syntax. */
import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { type Node, type SourceFile, textOf, walk } from '../source/source-file.ts';

export interface Import {
  /** As written, built-in modules always with `node:`; undefined when it is computed. */
  readonly specifier: string | undefined;
  /** `type` vanishes when the file runs, `separate` starts another program: neither can close a cycle. */
  readonly kind: 'static' | 'dynamic' | 'type' | 'separate';
  readonly at: number;
}

export function readImports(source: SourceFile): Import[] {
  const found: Import[] = [];
  walk(source.program, (node) => {
    const reached = importOf(node);
    if (reached) found.push({ ...reached, at: node.start });
  });
  return found;
}

function importOf(node: Node): Omit<Import, 'at'> | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
      // `import { type A }` still runs the module under type stripping; only `import type` does not.
      return reach(node.source, node.importKind === 'type' ? 'type' : 'static');
    case 'ExportAllDeclaration':
    case 'ExportNamedDeclaration':
      return node.source ? reach(node.source, node.exportKind === 'type' ? 'type' : 'static') : undefined;
    case 'TSImportType':
      return reach(node.source, 'type');
    case 'ImportExpression':
      return reach(node.source, 'dynamic');
    case 'CallExpression':
      return node.callee.type === 'Identifier' && node.callee.name === 'require' && node.arguments[0]
        ? reach(node.arguments[0], 'static')
        : undefined;
    case 'NewExpression':
      return isModuleUrl(node) && node.arguments[0] ? programAt(node.arguments[0]) : undefined;
    default:
      return undefined;
  }
}

function reach(source: Node, kind: Import['kind']): Omit<Import, 'at'> {
  const text = textOf(source);
  if (!text?.whole) return { specifier: undefined, kind };
  const builtin = isBuiltin(text.text) && !text.text.startsWith('node:');
  return { specifier: builtin ? `node:${text.text}` : text.text, kind };
}

/** `new URL('./worker.ts', import.meta.url)`; other addresses (data files, folders) import nothing. */
function programAt(address: Node): Omit<Import, 'at'> | undefined {
  const text = textOf(address);
  return text?.whole && /^\.\.?\/.*\.[cm]?[jt]s$/.test(text.text)
    ? { specifier: text.text, kind: 'separate' }
    : undefined;
}

function isModuleUrl(node: Node & { type: 'NewExpression' }): boolean {
  const base = node.arguments[1];
  return (
    node.callee.type === 'Identifier' &&
    node.callee.name === 'URL' &&
    base?.type === 'MemberExpression' &&
    base.object.type === 'MetaProperty'
  );
}

/** The path below the root that a relative specifier means; it starts with `../` when it leaves the root. */
export function resolveImport(from: string, specifier: string): string | undefined {
  if (!/^\.\.?(\/|$)/.test(specifier)) return undefined;
  return posix.normalize(posix.join(posix.dirname(from), specifier));
}

/** `@scope/name` or `name` of a package specifier. */
export function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

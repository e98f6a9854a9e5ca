/** The form of a module: one that can be read, named exports only, and no file that merely passes others on. */
import type { Node } from '../../source/source-file.ts';
import type { CheckedFile, Finding } from '../finding.ts';

export function* shape(file: CheckedFile): Iterable<Finding> {
  for (const { message, at } of file.source.errors) yield { rule: 'unreadable', at, message };
  const { body } = file.source.program;
  for (const statement of body) {
    if (exportsDefault(statement)) {
      yield { rule: 'default-export', at: statement.start, message: 'exports by default; give it a name' };
    }
  }
  if (file.path === 'index.ts') return;
  if (/(^|\/)index\.\w+$/.test(file.path) || (body.length > 0 && body.every(passesOn))) {
    yield { rule: 'barrel', at: 0, message: 'is a barrel; import from the file that declares the thing' };
  }
}

function exportsDefault(statement: Node): boolean {
  if (statement.type === 'ExportDefaultDeclaration') return true;
  if (statement.type !== 'ExportNamedDeclaration') return false;
  return statement.specifiers.some(
    ({ exported }) => (exported.type === 'Identifier' ? exported.name : exported.value) === 'default',
  );
}

function passesOn(statement: Node): boolean {
  if (statement.type === 'ExportAllDeclaration') return true;
  return statement.type === 'ExportNamedDeclaration' && statement.source !== null;
}

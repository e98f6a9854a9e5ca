/** A tool is found by its name: `audit.list` lies in a file `audit/list.ts` below src/tools. */
import { keyName, textOf, walk } from '../../source/source-file.ts';
import type { CheckedFile, Finding } from '../finding.ts';

export function toolNames(file: CheckedFile): Finding[] {
  const found: Finding[] = [];
  if (file.isTest) return found;
  walk(file.source.program, (node) => {
    if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier') return;
    const [definition] = node.arguments;
    if (node.callee.name !== 'defineTool' || definition?.type !== 'ObjectExpression') return;
    const property = definition.properties.find((one) => keyName(one) === 'name');
    const name = property?.type === 'Property' ? textOf(property.value) : undefined;
    // Tools that are made from data, such as a provider's, have no file of their own.
    if (!name?.whole) return;
    const wanted = fileOf(name.text);
    if (file.path.startsWith('tools/') && file.path.endsWith(`/${wanted}`)) return;
    const message = `declares the tool ${name.text}, which belongs in a file tools/…/${wanted}`;
    found.push({ rule: 'tool-name', at: node.start, message });
  });
  return found;
}

/** The last part is the file and the one before it, if any, the folder; what is in front (`db.`) is the wire's. */
function fileOf(name: string): string {
  return `${name.replaceAll('_', '-').split('.').slice(-2).join('/')}.ts`;
}

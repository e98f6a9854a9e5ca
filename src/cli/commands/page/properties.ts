/** Shows or sets the properties of a page. */
import { invalidInput } from '../../../kernel/errors.ts';
import { type CommandInput, defineCommand, textOf } from '../../command.ts';
import { table } from '../../output.ts';

export const properties = defineCommand({
  path: ['page', 'properties'],
  summary: 'Show the properties of a page, or set them in its frontmatter',
  args: [
    { name: 'page', summary: 'Its id, path or slug' },
    {
      name: 'changes',
      summary: 'name=value sets, name= removes; JSON such as 3 or ["a"] is taken as such',
      many: true,
      optional: true,
    },
  ],
  options: [{ name: 'workspace', value: 'name', summary: 'In this one' }],
  examples: ['page properties alpha', 'page properties alpha status=done due=2026-01-31 owner='],
  async run({ call, output }, input) {
    const page = textOf(input, 'page');
    const workspace = textOf(input, 'workspace');
    const changes = changesOf(input);
    if (Object.keys(changes).length > 0)
      await call('set_properties', { page, properties: changes }, workspace);
    const { properties: now } = await call('read_page', { page, max_tokens: 50 }, workspace);
    const rows = Object.entries(now as object).map(([name, value]) => [name, JSON.stringify(value)]);
    output.data({ properties: now }, () =>
      rows.length === 0 ? 'No properties' : table(['NAME', 'VALUE'], rows),
    );
  },
});

function changesOf(input: CommandInput): Record<string, unknown> {
  const changes: Record<string, unknown> = {};
  for (const text of [input.args.changes ?? []].flat()) {
    const at = text.indexOf('=');
    if (at < 1) throw invalidInput('changes', `must be name=value, not "${text}"`);
    changes[text.slice(0, at)] = readValue(text.slice(at + 1));
  }
  return changes;
}

function readValue(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

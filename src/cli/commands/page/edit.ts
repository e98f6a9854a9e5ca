/** Edits a page in places. */
import { EDIT_OP_NAMES } from '../../../app/edit-ops.ts';
import { invalidInput } from '../../../kernel/errors.ts';
import { type CommandInput, defineCommand, given, numberOf, textOf } from '../../command.ts';
import { CONTENT_OPTIONS, readContent } from '../../page-content.ts';

export const edit = defineCommand({
  path: ['page', 'edit'],
  summary: 'Change one place of a page, or several at once, and nothing else',
  args: [{ name: 'page', summary: 'Its id, path or slug' }],
  options: [
    { name: 'find', value: 'text', summary: 'Replace exactly this text by --content' },
    { name: 'count', value: 'number', summary: 'How often the text must be there; 1 if left out' },
    {
      name: 'op',
      value: 'name',
      summary: 'What to do; replace_text if --find is given',
      choices: EDIT_OP_NAMES,
    },
    { name: 'section', value: 'heading', summary: 'At this heading: "Title", "Above > Title", "Title#2"' },
    { name: 'block', value: 'id', summary: 'At this block: its id or ^anchor' },
    { name: 'before', value: 'id', summary: 'For move_block: before this block' },
    { name: 'after', value: 'id', summary: 'For move_block: after this block' },
    ...CONTENT_OPTIONS,
    { name: 'edits', value: 'json', summary: 'Several edits as the tool edit_page takes them' },
    { name: 'base-version', value: 'version', summary: 'The version the edits are meant for' },
    { name: 'workspace', value: 'name', summary: 'In this one' },
  ],
  examples: [
    'page edit alpha --find "Status: open" --content "Status: done"',
    'page edit alpha --op append --section Log --content "- Shipped"',
  ],
  async run({ call, output }, input) {
    const edits = listOfEdits(input) ?? [await oneEdit(input)];
    const wish = given({ page: textOf(input, 'page'), edits, base_version: textOf(input, 'base-version') });
    const answer = await call('edit_page', wish, textOf(input, 'workspace'));
    output.data(answer, () => (answer.changed ? `${answer.path}  ${answer.version}` : 'Nothing changed'));
  },
});

function listOfEdits(input: CommandInput): unknown {
  const text = textOf(input, 'edits');
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw invalidInput('--edits', 'must be a list of edits in JSON');
    throw error;
  }
}

async function oneEdit(input: CommandInput): Promise<Record<string, unknown>> {
  const find = textOf(input, 'find');
  const op = textOf(input, 'op') ?? (find === undefined ? undefined : 'replace_text');
  if (op === undefined) throw invalidInput('--find', 'or --op or --edits must say what to change');
  return given({
    op,
    find,
    count: numberOf(input, 'count'),
    text: await readContent(input),
    section: textOf(input, 'section'),
    block: textOf(input, 'block'),
    before: textOf(input, 'before'),
    after: textOf(input, 'after'),
  });
}

/** One proposal with its diff. */
import { writeFile } from 'node:fs/promises';
import { SluiceError } from '../../../kernel/errors.ts';
import { type CommandInput, defineCommand, flagOf, textOf } from '../../command.ts';
import type { CliContext } from '../../context.ts';
import { proposalText } from '../../proposal-text.ts';
import { readWhole } from '../../read-whole-proposal.ts';

export const showReview = defineCommand({
  path: ['review', 'show'],
  summary: 'Show one proposal: by whom, from what, the diff, and whether it still fits the page',
  args: [{ name: 'proposal', summary: 'Its id, from "review list"' }],
  options: [
    {
      name: 'text',
      summary: 'Only the text that would land, to edit it and give it to "review accept --file"',
    },
    {
      name: 'save',
      value: 'path',
      summary: 'Write the file that would be attached to this path, to look at it',
      choices: 'path',
    },
    { name: 'workspace', value: 'name', summary: 'In this one' },
  ],
  examples: [
    'review show 0198c2d4-…',
    'review show 0198c2d4-… --text > edited.md',
    'review show 0198c2d4-… --save figure.png',
  ],
  async run(context, input) {
    const { withHome, output, json } = context;
    if (textOf(input, 'save') !== undefined) return saveFile(context, input);
    const whole = flagOf(input, 'text');
    const wish = { proposal: textOf(input, 'proposal'), content: whole };
    const shown = await withHome((home) => readWhole(home, wish, textOf(input, 'workspace')));
    if (whole && !json) return output.raw(shown.text?.content ?? '');
    output.diff({ ...shown }, () => proposalText(shown));
  },
});

/** Nothing that is there already is written over. */
async function saveFile({ call, output }: CliContext, input: CommandInput): Promise<void> {
  const path = textOf(input, 'save') ?? '';
  const wish = { proposal: textOf(input, 'proposal') };
  const { bytes, ...file } = await call('read_attachment', wish, textOf(input, 'workspace'));
  try {
    await writeFile(path, Buffer.from(String(bytes), 'base64'), { flag: 'wx' });
  } catch (error) {
    throw new SluiceError(
      'invalid_input',
      `"save" names "${path}", where no new file can be written`,
      { field: 'save' },
      error,
    );
  }
  output.data({ ...file, saved: path }, () => `${file.path}  ${file.size} bytes, written to ${path}`);
}

/** Shows one memory. */
import { defineCommand, textOf } from '../../command.ts';
import { facts } from '../../output.ts';

export const show = defineCommand({
  path: ['memory', 'show'],
  summary: 'Show a memory with its origin, its times and what it was made from',
  args: [{ name: 'id', summary: 'Its id' }],
  options: [{ name: 'workspace', value: 'name', summary: 'In this one' }],
  examples: ['memory show 0197f0a0-0000-7000-8000-000000000000'],
  async run({ call, output }, input) {
    const answer = await call('memory_read', { id: textOf(input, 'id') }, textOf(input, 'workspace'));
    output.data(answer, () => {
      const { body, line, ...rest } = answer;
      const versions = (line as { id: string }[]).map(({ id }) => id);
      return `${facts({ ...rest, line: versions })}\n\n${body}`;
    });
  },
});

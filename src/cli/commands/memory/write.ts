/** Remembers something. */
import { defineCommand, flagOf, given, listOf, textOf } from '../../command.ts';
import { TIER_OPTION } from '../../memory-table.ts';

export const write = defineCommand({
  path: ['memory', 'write'],
  summary: 'Remember something: a fact, unless another tier is given',
  args: [{ name: 'body', summary: 'What to remember' }],
  options: [
    { ...TIER_OPTION, summary: 'What kind of thing it is' },
    { name: 'subject', value: 'text', summary: 'What a fact is about' },
    { name: 'predicate', value: 'text', summary: 'What of it' },
    { name: 'name', value: 'text', summary: 'What a way of doing things is called' },
    { name: 'description', value: 'text', summary: 'When to use it' },
    { name: 'sources', value: 'a,b', summary: 'Pages, or memory:<id>, that it was made from' },
    { name: 'valid-from', value: 'date', summary: 'From when it holds' },
    { name: 'valid-to', value: 'date', summary: 'Until when' },
    {
      name: 'outcome',
      value: 'outcome',
      summary: 'How what an episode tells of went',
      choices: ['success', 'failure'],
    },
    { name: 'pinned', summary: 'Never evicted and never summed up' },
    { name: 'workspace', value: 'name', summary: 'In this one' },
  ],
  examples: [
    'memory write "Every second Tuesday." --subject "release train" --predicate "leaves on"',
    'memory write "Tag, build, publish." --tier procedural --name release --description "When a version is done"',
  ],
  async run({ call, output }, input) {
    const wish = given({
      tier: textOf(input, 'tier') ?? 'semantic',
      body: textOf(input, 'body'),
      subject: textOf(input, 'subject'),
      predicate: textOf(input, 'predicate'),
      name: textOf(input, 'name'),
      description: textOf(input, 'description'),
      sources: listOf(input, 'sources'),
      valid_from: textOf(input, 'valid-from'),
      valid_to: textOf(input, 'valid-to'),
      outcome: textOf(input, 'outcome'),
      pinned: flagOf(input, 'pinned') || undefined,
    });
    const answer = await call('memory_write', wish, textOf(input, 'workspace'));
    output.data(answer, () => `${answer.outcome}  ${answer.id}`);
    const superseded = answer.superseded as readonly string[];
    if (superseded.length > 0) output.note(`It holds instead of ${superseded.join(', ')}`);
  },
});

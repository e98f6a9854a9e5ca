/** Searches pages. */
import { defineCommand, given, numberOf, textOf } from '../../command.ts';

export const search = defineCommand({
  path: ['search'],
  summary: 'Search pages',
  args: [{ name: 'query', summary: 'Words, "phrases", -word, tag:x, under:path …', many: true }],
  options: [
    { name: 'limit', value: 'number', summary: 'At most this many' },
    {
      name: 'mode',
      value: 'mode',
      summary: 'By words and meaning (hybrid), text or semantic',
      choices: ['hybrid', 'text', 'semantic'],
    },
    { name: 'workspace', value: 'name', summary: 'Search this one' },
  ],
  examples: [
    'search release notes',
    `search '"breaking change" tag:api' --limit 5`,
    'search --mode semantic pets',
  ],
  async run({ call, output }, input) {
    const query = [input.args.query ?? []].flat().join(' ');
    const wish = given({ query, limit: numberOf(input, 'limit'), mode: textOf(input, 'mode') });
    const answer = await call('search', wish, textOf(input, 'workspace'));
    output.data(answer, () => {
      const results = answer.results as { path: string; title: string; snippet: string }[];
      if (results.length === 0) return 'Nothing found';
      return results.map((hit) => `${hit.path}  ${hit.title}\n    ${hit.snippet}`).join('\n');
    });
  },
});

/** Says how far the indexes of words and of meaning are. */
import { defineCommand, textOf } from '../../command.ts';

export const searchStatus = defineCommand({
  path: ['search', 'status'],
  summary: 'Say how many pages are indexed, by words and by meaning',
  options: [{ name: 'workspace', value: 'name', summary: 'Of this one' }],
  examples: ['search status'],
  async run({ call, output }, input) {
    const status = await call('get_search_status', {}, textOf(input, 'workspace'));
    output.data(status, () => {
      const { embedder, meaning, pages, indexed, words } = status;
      const byWords =
        words === pages ? '' : `${words} of ${pages} pages are indexed by the rules of this release\n`;
      if (embedder === null) return `${byWords}By words only: no embedder is active`;
      return `${byWords}${indexed} of ${pages} pages are indexed by meaning (${meaning}), with ${embedder}`;
    });
  },
});

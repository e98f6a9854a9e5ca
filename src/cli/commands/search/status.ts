/** Says how far search by meaning is. */
import { defineCommand, textOf } from '../../command.ts';

export const searchStatus = defineCommand({
  path: ['search', 'status'],
  summary: 'Say how many pages are indexed by meaning',
  options: [{ name: 'workspace', value: 'name', summary: 'Of this one' }],
  examples: ['search status'],
  async run({ call, output }, input) {
    const status = await call('get_search_status', {}, textOf(input, 'workspace'));
    output.data(status, () => {
      const { embedder, meaning, pages, indexed } = status;
      if (embedder === null) return 'By words only: no embedder is active';
      return `${indexed} of ${pages} pages are indexed by meaning (${meaning}), with ${embedder}`;
    });
  },
});

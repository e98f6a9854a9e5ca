/** Indexes pages by meaning until all are. */
import { defineCommand, flagOf, textOf } from '../../command.ts';

/** Of one call, so that progress is seen and an interruption loses little. */
const SECONDS = 5;

export const searchReindex = defineCommand({
  path: ['search', 'reindex'],
  summary: 'Index all pages by meaning now',
  options: [
    { name: 'anew', summary: 'Forget what is indexed and begin again' },
    { name: 'workspace', value: 'name', summary: 'Of this one' },
  ],
  examples: ['search reindex', 'search reindex --anew'],
  async run({ withHome, output }, input) {
    const status = await withHome(async (home) => {
      for (let anew = flagOf(input, 'anew'); ; anew = false) {
        const step = await home.call(
          'reindex_search',
          { anew, seconds: SECONDS },
          textOf(input, 'workspace'),
        );
        if (step.done === true) return step;
        output.progress(`${step.indexed} of ${step.pages} pages`);
      }
    });
    output.progress('');
    output.data(status, () => `${status.indexed} pages are indexed by meaning`);
  },
});

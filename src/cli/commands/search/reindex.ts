/** Indexes words and meaning of pages until all are. */
import { defineCommand, flagOf, textOf } from '../../command.ts';

/** Of one call, so that progress is seen and an interruption loses little. */
const SECONDS = 5;

export const searchReindex = defineCommand({
  path: ['search', 'reindex'],
  summary: 'Index all pages now, by words and by meaning',
  options: [
    { name: 'anew', summary: 'Take nothing for indexed and begin again' },
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
        output.progress(`${step.words} of ${step.pages} pages by words, ${step.indexed} by meaning`);
      }
    });
    output.progress('');
    output.data(status, () => `${status.words} pages are indexed by words, ${status.indexed} by meaning`);
  },
});

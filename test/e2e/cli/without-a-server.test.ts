/**
 * Commands as real processes that open the home themselves. Each of them loads the whole of Sluice for that, so a normal
 * run tries those that know the difference and a third of the others, which all open it in the same place.
 */
import { it } from 'vitest';
import { cliOn } from '../../support/cli-story.ts';
import { randomFor, soaking } from '../../support/random.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { stories } from './stories/all.ts';

const home = temporaryFolder();

const KNOW_THE_DIFFERENCE = ['status', 'serve', 'restore', 'backup', 'doctor', 'mcp'];

const all = Object.keys(stories);
const some = new Set([
  ...all.filter((path) => KNOW_THE_DIFFERENCE.includes(path)),
  ...randomFor('commands without a server')
    .shuffle(all)
    .slice(0, Math.ceil(all.length / 3)),
]);

it.each(all.filter((path) => soaking || some.has(path)))(
  '[CLI-01][CLI-02][CLI-05] sluice %s',
  async (path) => {
    await stories[path]?.(cliOn(home, `t-${path.replaceAll(' ', '-')}`, false));
  },
);

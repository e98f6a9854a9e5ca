/** Every command as a real process that opens the home itself. */
import { it } from 'vitest';
import { cliOn } from '../../support/cli-story.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { stories } from './stories/all.ts';

const home = temporaryFolder();

it.each(Object.keys(stories))('[CLI-01][CLI-02][CLI-05] sluice %s', async (path) => {
  await stories[path]?.(cliOn(home, `t-${path.replaceAll(' ', '-')}`, false));
});

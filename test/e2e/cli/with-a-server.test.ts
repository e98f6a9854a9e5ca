/** Every command as a real process, in a home that a server has open. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commands } from '../../../src/cli/command-list.ts';
import { cliOn } from '../../support/cli-story.ts';
import { type RunningServer, startServer } from '../../support/process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { stories } from './stories/all.ts';

const home = temporaryFolder();
let server: RunningServer | undefined;
beforeAll(async () => {
  server = await startServer(home);
});
afterAll(() => server?.stop());

it('[CLI-01] every command has its story', () => {
  expect(Object.keys(stories).sort()).toEqual(commands.map(({ path }) => path.join(' ')).sort());
});

it.each(Object.keys(stories))('[CLI-01][CLI-02][CLI-05] sluice %s', async (path) => {
  await stories[path]?.(cliOn(home, `t-${path.replaceAll(' ', '-')}`, true));
});

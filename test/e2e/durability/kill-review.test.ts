/** The real server, killed in the middle of a review: each proposal has landed and is accepted, or neither. */
import { afterAll, expect, it, vi } from 'vitest';
import { createSluice } from '../../../src/app/create-sluice.ts';
import { expectConsistent } from '../../support/check-consistency.ts';
import { onEachStore } from '../../support/each-store.ts';
import { asOwner } from '../../support/owner.ts';
import { type RunningServer, startServer } from '../../support/process.ts';
import { randomFor, soaking, times } from '../../support/random.ts';
import { withRawDatabase } from '../../support/raw-database.ts';
import { agentOf, create, rewrite } from '../../support/review.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { UNLIMITED } from '../../support/unlimited.ts';

vi.setConfig({ testTimeout: soaking ? 3_600_000 : 240_000 });

const PROPOSALS = times(60, 400);
const ROUNDS = times(4, 25);

onEachStore('a server killed while it accepts', (under) => {
  const home = temporaryFolder();
  let server: RunningServer | undefined;
  afterAll(() => server?.kill('SIGKILL'));

  it(`[PROP-45] has each of ${PROPOSALS} proposals landed and accepted or neither, ${ROUNDS} times`, async () => {
    const random = randomFor(`kill review on ${under.kind}`);
    const sluice = await createSluice({ home, config: { ...under.config(), ...UNLIMITED } });
    const page = await create(sluice, 'Reviewed', 'Base.\n');
    const agent = agentOf(sluice, 'bot', 'many');
    const marks = new Map<string, string>();
    for (let i = 0; i < PROPOSALS; i += 1) {
      const own = await create(sluice, `Page ${i}`, 'Base.\n');
      marks.set(await rewrite(agent, own, `Base.\n\nMark ${i}.\n`), `Mark ${i}.`);
    }
    await rewrite(agent, page, 'Base.\n\nMore.\n');
    await sluice.close();
    for (let round = 0; round < ROUNDS; round += 1) {
      server = await startServer(home, { env: under.environment() });
      const accepting = asOwner(home, 'accept_proposal', { run: 'agent:bot/many', limit: 15 }).catch(
        // The connection broke under it; what became of it is what is looked at.
        () => undefined,
      );
      await new Promise((resolve) => setTimeout(resolve, random.between(0, 250)));
      await server.kill('SIGKILL');
      await accepting;
      await withRawDatabase(home, under.config(), async (database) => {
        const texts = (await database.all<{ content: string }>('select content from page'))
          .map(({ content }) => content)
          .join('\n');
        const rows = await database.all<{ id: string; state: string }>('select id, state from proposal');
        for (const { id, state } of rows) {
          const mark = marks.get(id);
          if (mark !== undefined)
            expect([state, texts.includes(mark)]).toEqual([state, state === 'accepted']);
        }
        expect(rows).toHaveLength(PROPOSALS + 1);
      });
      await expectConsistent(home, under.config());
    }
  });
});

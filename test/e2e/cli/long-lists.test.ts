/** Lists that are longer than what one call answers. */
import { expect, it } from 'vitest';
import { createSluice } from '../../../src/app/create-sluice.ts';
import { runSluice } from '../../support/process.ts';
import { agentOf, create } from '../../support/review.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const WAITING = 103;

it('[CLI-20] review list goes on as far as it is told to, and says when there is more', async () => {
  const home = temporaryFolder();
  const sluice = await createSluice({ home });
  const agent = agentOf(sluice);
  for (let i = 0; i < WAITING; i += 1) await create(agent, `Waits ${i}`);
  await sluice.close();
  const listed = async (...more: readonly string[]) => {
    const { code, stdout } = await runSluice(home, ['review', 'list', '--json', ...more]);
    expect(code).toBe(0);
    return JSON.parse(stdout) as { proposals: { title: string }[]; next_cursor?: string };
  };
  const all = await listed('--limit', '500');
  expect(all.proposals.map(({ title }) => title)).toEqual(
    Array.from({ length: WAITING }, (_, i) => `Waits ${WAITING - 1 - i}`),
  );
  expect(all).not.toHaveProperty('next_cursor');
  expect(await listed('--limit', '102')).toMatchObject({ next_cursor: expect.any(String) });
  const some = await runSluice(home, ['review', 'list']);
  expect(some.stdout.trimEnd().split('\n')).toHaveLength(101);
  expect(some.stderr).toContain('There is more; give a higher --limit');
  for (const limit of ['0', '10001'])
    expect(await runSluice(home, ['review', 'list', '--limit', limit])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--limit'),
    });
}, 60_000);

/** Pages that everything links to: renamed and renamed back, in one change each, with every byte where it belongs. */
import { expect, it, vi } from 'vitest';
import { onEachStore } from '../support/each-store.ts';
import { growHubVault, HUBS, hubText, LINKS_TO_FIRST } from '../support/hub-vault.ts';
import { useModelHome } from '../support/model-home.ts';
import { soaking, times } from '../support/random.ts';

vi.setConfig({ testTimeout: soaking ? 900_000 : 180_000, hookTimeout: soaking ? 900_000 : 180_000 });

const PAGES = times(120, 2_700);

onEachStore(`a vault of ${PAGES} pages and six that all of them link to`, (under) => {
  const at = useModelHome(under, (sluice) => growHubVault((tool, input) => sluice.call(tool, input), PAGES));

  const call = (tool: string, input: Record<string, unknown>) => at.sluice().call(tool, input);
  const texts = async (): Promise<Map<string, string>> => {
    const rows = await at.raw().all<{ title: string; content: string }>('select title, content from page');
    return new Map(rows.map(({ title, content }) => [title, content]));
  };

  it('[LINK-33] renames each of them there and back in one change, exactly', async () => {
    const before = await texts();
    for (const [i, title] of HUBS.entries()) {
      const { id } = await call('read_page', { page: title });
      const done = await call('rename_page', { page: id, title: `Renamed ${i}` });
      const links = PAGES * (i === 0 ? LINKS_TO_FIRST : 1);
      expect(done).toMatchObject({ updated_pages: PAGES, updated_links: links, skipped: [] });
      if (i === 0) await checkFirst(before);
      const events = await at
        .raw()
        .all<{ change: number; kind: string; call_id: string }>(
          `select change, kind, call_id from event where change = ${Number(done.change)}`,
        );
      expect(events.length).toBe(PAGES + 1);
      expect(new Set(events.map((event) => event.call_id)).size).toBe(1);
      // One of them was written by its slug; going back by name would write its title, undoing gives it back.
      const back = title.includes('/') ? 'undo_change' : 'rename_page';
      await call(back, back === 'undo_change' ? { change: done.change } : { page: id, title });
      expect(await texts()).toEqual(before);
    }
  });

  async function checkFirst(before: ReadonlyMap<string, string>): Promise<void> {
    const now = await texts();
    for (let n = 0; n < PAGES; n += 1) {
      const wanted = hubText(n).replaceAll(/(?<!`)\[\[Buy me a coffee/g, '[[Renamed 0');
      expect(now.get(`Page ${n}`)).toBe(wanted);
      expect(before.get(`Page ${n}`)).not.toBe(wanted);
    }
  }

  it('[LINK-42] goes on turning while it renames, so that others are served', async () => {
    let [turns, done] = [0, false];
    const turn = (): void => {
      turns += 1;
      if (!done) setImmediate(turn);
    };
    setImmediate(turn);
    await call('rename_page', { page: 'home', title: 'Heim' });
    done = true;
    expect(turns).toBeGreaterThan(4);
    await call('rename_page', { page: 'heim', title: 'Home' });
  });

  it('[LINK-33] leaves a store in which everything agrees', async () => {
    await at.closeConsistent();
  });
});

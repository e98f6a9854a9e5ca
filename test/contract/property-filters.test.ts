/** Searching by what holds of properties: bounds, parts, presence. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSluice, type Sluice } from '../../src/app/create-sluice.ts';
import { onEachStore } from '../support/each-store.ts';
import { create } from '../support/review.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const PAGES: Readonly<Record<string, string>> = {
  Early: 'due: 2026-01-31\nsize: 2\nowner: Ann Smith',
  Noon: 'due: 2026-02-01T12:00:00Z\nsize: 10\nowner: [Bob, "Ann Lee"]',
  Late: 'due: 2026-02-02\nsize: -1.5',
  Text: 'due: soon\nsize: "10"\nowner: 50%_\\',
  Bare: 'other: 1',
};

onEachStore('search by properties', (under) => {
  const home = temporaryFolder();
  let sluice: Sluice;
  beforeAll(async () => {
    if (!under.available()) return;
    sluice = await createSluice({ home, config: under.config() });
    for (const [title, properties] of Object.entries(PAGES))
      await create(sluice, title, `---\n${properties}\n---\n`);
  });
  afterAll(() => sluice?.close());

  const found = async (input: Readonly<Record<string, unknown>>): Promise<string[]> =>
    ((await sluice.call('search', input)).results as { title: string }[]).map(({ title }) => title).sort();

  it.each([
    ['prop:due<2026-02-01', ['Early']],
    ['prop:due<=2026-02-01', ['Early', 'Noon']],
    ['prop:due>2026-02-01', ['Late']],
    ['prop:due>=2026-02-01', ['Late', 'Noon']],
    ['prop:due>2026-01-31 prop:due<2026-02-02', ['Noon']],
    ['prop:due>=2026-02-01T12:00', ['Late', 'Noon']],
    ['prop:due>2026-02-01T13:00+01:00', ['Late']],
    // By size, not by letters; and a text is no number.
    ['prop:size>2', ['Noon']],
    ['prop:size<=2', ['Early', 'Late']],
    ['prop:size>=-1.5 prop:size<3', ['Early', 'Late']],
    // A number is no date.
    ['prop:size<2026-02-01', []],
    ['prop:due>0', []],
    ['prop:owner~ANN', ['Early', 'Noon']],
    ['prop:owner~%', ['Text']],
    ['prop:owner~_', ['Text']],
    ['prop:owner="ann lee"', ['Noon']],
    ['has:owner', ['Early', 'Noon', 'Text']],
    ['-has:size', ['Bare']],
    ['has:due -has:owner', ['Late']],
  ])('[EDIT-17] %s', async (query, titles) => {
    expect(await found({ query })).toEqual(titles);
  });

  it.each([
    [{ due: { gte: '2026-01-31', lt: '2026-02-02' } }, ['Early', 'Noon']],
    [{ size: { gt: -2, lte: 2 } }, ['Early', 'Late']],
    [{ owner: { contains: 'lee' } }, ['Noon']],
    [{ owner: { exists: false }, size: { exists: true } }, ['Late']],
    [{ size: 10 }, ['Noon', 'Text']],
  ])('[EDIT-17] filters %j', async (properties, titles) => {
    expect(await found({ query: '', filters: { properties } })).toEqual(titles);
  });

  it.each([
    [{ size: { gt: 'much' } }, 'filters.properties.size.gt'],
    [{ size: {} }, 'filters.properties.size'],
  ])('[EDIT-17] refuses %j and names the field', async (properties, field) => {
    await expect(found({ query: '', filters: { properties } })).rejects.toMatchObject({
      code: 'invalid_input',
      details: { field },
    });
  });
});

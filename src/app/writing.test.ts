import { afterAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { createSluice } from './create-sluice.ts';

const sluice = await createSluice({ home: temporaryFolder() });
afterAll(() => sluice.close());

let pages = 0;
async function page(content: string, more: Record<string, unknown> = {}) {
  pages += 1;
  const made = await sluice.call('create_page', { title: `Page ${pages}`, content, ...more });
  return made as { id: string; version: string; title: string };
}

const update = (input: Record<string, unknown>) => sluice.call('update_page_content', input);
const contentOf = async (id: string) =>
  (await sluice.call('read_page', { page: id, max_tokens: 100_000 })).content;

describe('[MERGE-09] a write with a base', () => {
  const BASE = '# T\n\nOne.\n\nTwo.\n\nThree.\n';

  it('replaces the text while nobody else has changed it', async () => {
    const { id, version } = await page(BASE);
    const done = await update({ page: id, content: 'New.\n', base_version: version });
    expect(done).toMatchObject({ changed: true, merged: false, previous_version: version });
    expect(done.version).not.toBe(version);
    expect(done.change).toMatchObject({
      characters_before: BASE.length,
      characters_after: 5,
      lines_removed: 7,
    });
    expect(await contentOf(id)).toBe('New.\n');
  });

  it('keeps what others changed since, and says that it did', async () => {
    const { id, version } = await page(BASE);
    await update({ page: id, content: BASE.replace('One', '1'), base_version: version });
    const done = await update({ page: id, content: BASE.replace('Three', '3'), base_version: version });
    expect(done).toMatchObject({ changed: true, merged: true });
    expect(await contentOf(id)).toBe('# T\n\n1.\n\nTwo.\n\n3.\n');
  });

  it('of the same place is a conflict with both texts, and changes nothing', async () => {
    const { id, version } = await page(BASE);
    const head = await update({ page: id, content: BASE.replace('Two', 'Theirs'), base_version: version });
    await expect(
      update({ page: id, content: BASE.replace('Two', 'Ours'), base_version: version }),
    ).rejects.toMatchObject({
      code: 'conflict',
      details: {
        reason: 'overlap',
        version: head.version,
        conflicts: [{ base: 'Two.\n\n', head: 'Theirs.\n\n', yours: 'Ours.\n\n' }],
      },
    });
    expect(await contentOf(id)).toContain('Theirs');
  });

  it('of another page, or of nothing, is refused', async () => {
    const [one, other] = [await page(BASE), await page(BASE)];
    for (const base_version of [other.version, 'nonsense', 'v1.x.y']) {
      await expect(update({ page: one.id, content: 'Clobbered.', base_version })).rejects.toMatchObject({
        code: 'not_found',
        details: { field: 'base_version' },
      });
    }
    expect(await contentOf(one.id)).toBe(BASE);
  });

  it('of a state the page was never left in is refused, even if its document passed through it', async () => {
    const { id, version } = await page('A text of some length.');
    const [form, mark, frontiers = ''] = version.split('.');
    const bytes = Buffer.from(frontiers, 'base64url');
    bytes.writeUInt8((bytes.at(-1) ?? 0) - 2, bytes.length - 1);
    const base_version = [form, mark, bytes.toString('base64url')].join('.');
    await expect(update({ page: id, content: 'Clobbered.', base_version })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('that changes nothing says so, without a new version or event', async () => {
    const { id, version } = await page(BASE);
    expect(await update({ page: id, content: BASE, base_version: version })).toMatchObject({
      changed: false,
      merged: false,
      version,
      change: { lines_added: 0, lines_removed: 0, diff: '' },
    });
    const { events } = await sluice.call('get_page_history', { page: id });
    expect(events).toHaveLength(1);
  });

  it('may be of any version there was, however long ago', async () => {
    const { id, version } = await page(BASE);
    let latest = version;
    for (let i = 0; i < 70; i += 1) {
      const done = await update({
        page: id,
        content: BASE.replace('One.', `One ${i}.`),
        base_version: latest,
      });
      latest = done.version as string;
    }
    await update({ page: id, content: BASE.replace('Three.', '3.'), base_version: version });
    expect(await contentOf(id)).toBe('# T\n\nOne 69.\n\nTwo.\n\n3.\n');
  });
});

describe('[MERGE-10] a write without a base', () => {
  it('only adds', async () => {
    const { id } = await page('a\n\nb\n');
    expect(await update({ page: id, content: 'a\n\nb\n\nc\n' })).toMatchObject({ changed: true });
    expect(await update({ page: id, content: 'a\n\nnew\n\nb\n\nc\n' })).toMatchObject({ changed: true });
    expect(await update({ page: id, content: 'a\n\nnew\n\nb\n\nc\nand more' })).toMatchObject({
      changed: true,
    });
    const { id: empty } = await page('');
    expect(await update({ page: empty, content: 'first' })).toMatchObject({ changed: true });
    expect(await update({ page: empty, content: 'first and more' })).toMatchObject({ changed: true });
  });

  it('that would take something away is a conflict with the version and a short diff', async () => {
    const { id, version } = await page('a\n\nb\n');
    await expect(update({ page: id, content: 'c\n' })).rejects.toMatchObject({
      code: 'conflict',
      details: {
        reason: 'stale',
        version,
        change: { lines_removed: 3, diff: expect.stringContaining('-a') },
      },
    });
    expect(await contentOf(id)).toBe('a\n\nb\n');
  });
});

describe('[MERGE-11] a strict write', () => {
  it('lands only on the version it names', async () => {
    const { id, version } = await page('a\n');
    const done = await update({ page: id, content: 'b\n', if_match: version });
    expect(done).toMatchObject({ changed: true, merged: false });
    await expect(update({ page: id, content: 'b\n\nc\n', if_match: version })).rejects.toMatchObject({
      code: 'conflict',
      details: { reason: 'stale', version: done.version },
    });
    expect(await contentOf(id)).toBe('b\n');
  });
});

describe('[PAGE-16] a new page', () => {
  it('keeps its text byte for byte', async () => {
    const content = '\ufeff---\r\na: 1\r\n---\r\n# Ünï\u0301\t \r\n\r\n\r\n日本🚀\u2028x\u00a0\n\n\n';
    const { id } = await page(content);
    expect(await contentOf(id)).toBe(content);
  });

  it('begins with a template, filled in, unless it has a text of its own', async () => {
    const template = await page('---\ntemplate: true\n---\n# {{title}}\n\nMade on {{date}}.\n');
    const made = await sluice.call('create_page', { title: 'From a template', template: template.id });
    expect(await contentOf(made.id as string)).toMatch(/^# From a template\n\nMade on \d{4}-\d\d-\d\d\.\n$/);
    const own = await sluice.call('create_page', { title: 'Own', template: template.id, content: 'own' });
    expect(await contentOf(own.id as string)).toBe('own');
    await expect(sluice.call('create_page', { title: 'No', template: 'nowhere' })).rejects.toMatchObject({
      code: 'not_found',
      details: { field: 'template' },
    });
  });

  it('comes last among its siblings, with a slug of its own, also where the name is as long as can be', async () => {
    const title = 'ab'.repeat(100);
    const slugs: unknown[] = [];
    for (let i = 0; i < 5; i += 1) slugs.push((await sluice.call('create_page', { title })).slug);
    const base = 'ab'.repeat(90);
    expect(slugs).toEqual([base, ...[2, 3, 4, 5].map((n) => `${base.slice(0, 178)}-${n}`)]);
  });

  it('has a slug that no sibling has in another case or form', async () => {
    const slugs: unknown[] = [];
    for (const title of ['Straße', 'STRASSE', 'Caf\u00e9', 'Cafe\u0301', 'Twin Page', 'twin-page']) {
      slugs.push((await sluice.call('create_page', { title })).slug);
    }
    expect(slugs).toEqual(['straße', 'strasse-2', 'café', 'café-2', 'twin-page', 'twin-page-2']);
  });

  it.each([
    ['title', { title: '   ' }],
    ['title', { title: 'a\nb' }],
    ['content', { title: 'x', content: 'x'.repeat(2 * 1024 * 1024 + 1) }],
    ['content', { title: 'x', content: 'a\n\n'.repeat(20_001) }],
    ['tags', { title: 'x', tags: ['a b'] }],
    ['properties.a/b', { title: 'x', properties: { 'a/b': 1 } }],
    ['parent', { title: 'x', parent: 'nowhere' }],
  ])('is refused for a wrong %s, and leaves nothing', async (field, input) => {
    const before = (await sluice.call('get_workspace')).pages;
    await expect(sluice.call('create_page', input)).rejects.toMatchObject({ details: { field } });
    expect((await sluice.call('get_workspace')).pages).toBe(before);
  });

  it('may be as large as a page can be, in one line or in many', async () => {
    for (const content of ['x'.repeat(2 * 1024 * 1024), 'y\n'.repeat(1024 * 1024)]) {
      const { id, version } = await page(content);
      const done = await update({ page: id, content: `z${content.slice(1)}`, base_version: version });
      expect(done).toMatchObject({ changed: true, change: { lines_added: 1, lines_removed: 1 } });
    }
  });
});

describe('[PAGE-17] the history of a page', () => {
  it('has every change, newest first, in pages, with who and from what to what', async () => {
    const { id, version } = await page('0');
    const versions = [version];
    for (let i = 1; i <= 7; i += 1) {
      const done = await update({ page: id, content: String(i), base_version: versions.at(-1) });
      versions.push(done.version as string);
    }
    await sluice.call('update_page_metadata', { page: id, icon: 'x' });
    const events: Record<string, unknown>[] = [];
    let cursor: unknown;
    do {
      const part: Record<string, unknown> = await sluice.call('get_page_history', {
        page: id,
        limit: 4,
        cursor,
      });
      expect((part.events as unknown[]).length).toBeLessThanOrEqual(4);
      events.push(...(part.events as Record<string, unknown>[]));
      cursor = part.next_cursor;
    } while (cursor !== undefined);
    expect(events.map(({ kind }) => kind)).toEqual([
      'metadata_changed',
      ...new Array(7).fill('content_changed'),
      'page_created',
    ]);
    expect(
      events.slice(1, 8).map(({ before_version, after_version }) => [before_version, after_version]),
    ).toEqual(
      versions
        .slice(1)
        .map((after, i) => [versions[i], after])
        .reverse(),
    );
    expect(events[1]).toMatchObject({ by: 'owner', tool: 'update_page_content', origin: 'authored' });
    await expect(sluice.call('get_page_history', { page: id, cursor: 'x' })).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });
});

/** Edits of pages through the tools, on both stores. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSluice, type Sluice } from '../../src/app/create-sluice.ts';
import { expectConsistent } from '../support/check-consistency.ts';
import { onEachStore } from '../support/each-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

type Answer = Record<string, unknown>;
interface Made {
  readonly id: string;
  readonly version: string;
}

onEachStore('editing pages', (under) => {
  const home = temporaryFolder();
  let sluice: Sluice;
  let pages = 0;
  const call = (tool: string, input: Answer) => sluice.call(tool, input);
  const page = async (content: string): Promise<Made> => {
    pages += 1;
    const made = await call('create_page', { title: `Page ${pages}`, content });
    return { id: String(made.id), version: String(made.version) };
  };
  const textOf = async (id: string) => (await call('read_page', { page: id, max_tokens: 100_000 })).content;
  beforeAll(async () => {
    if (under.available()) sluice = await createSluice({ home, config: under.config() });
  });
  afterAll(async () => {
    if (!under.available()) return;
    await sluice.close();
    await expectConsistent(home, under.config());
  });

  it('[EDIT-29] text that is too long is named by where it stands, and by the edits where it is all of them', async () => {
    const half = 'x'.repeat(1_100_000);
    const { id } = await page(half);
    const edit = (...texts: string[]) =>
      call('edit_page', { page: id, edits: texts.map((text) => ({ op: 'append', text })) });
    await expect(edit('fine', half + half)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(/^"edits.1.text" has 2200000 bytes, a page holds at most \d+$/),
      details: { field: 'edits.1.text' },
    });
    await expect(edit(half)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(/^"edits" make a page that has \d+ bytes, a page holds at most \d+$/),
      details: { field: 'edits' },
    });
  });

  describe('[EDIT-06] edits and versions', () => {
    const BASE = '# T\n\nOne.\n\nTwo.\n\nThree.\n';

    it('change the newest text, and say what became of it', async () => {
      const { id, version } = await page(BASE);
      const edits = [
        { op: 'replace_text', find: 'Two', text: '2' },
        { op: 'append', section: 'T', text: 'Four.' },
      ];
      const done = await call('edit_page', { page: id, edits });
      expect(done).toMatchObject({ changed: true, merged: false, previous_version: version });
      expect(await textOf(id)).toBe('# T\n\nOne.\n\n2.\n\nThree.\n\nFour.\n');
      const { events } = await call('get_page_history', { page: id });
      expect(events).toHaveLength(2);
    });

    it('land all together or not at all', async () => {
      const { id } = await page(BASE);
      const edits = [
        { op: 'replace_text', find: 'Two', text: '2' },
        { op: 'replace_text', find: 'Nowhere', text: '2' },
      ];
      await expect(call('edit_page', { page: id, edits })).rejects.toMatchObject({
        code: 'not_found',
        details: { field: 'edits.1.find' },
      });
      expect(await textOf(id)).toBe(BASE);
    });

    it('of an older version are merged with what others did since', async () => {
      const { id, version } = await page(BASE);
      await call('edit_page', { page: id, edits: [{ op: 'replace_text', find: 'One', text: '1' }] });
      const section = { op: 'replace_section', section: 'T', text: 'One.\n\nTwo.\n\n3.' };
      const done = await call('edit_page', { page: id, base_version: version, edits: [section] });
      expect(done).toMatchObject({ changed: true, merged: true });
      expect(await textOf(id)).toBe('# T\n\n1.\n\nTwo.\n\n3.\n');
      const clash = { op: 'replace_text', find: 'One', text: 'uno' };
      await expect(
        call('edit_page', { page: id, base_version: version, edits: [clash] }),
      ).rejects.toMatchObject({ code: 'conflict', details: { reason: 'overlap' } });
      await expect(
        call('edit_page', { page: id, if_match: version, edits: [{ op: 'append', text: 'x' }] }),
      ).rejects.toMatchObject({ code: 'conflict', details: { reason: 'stale' } });
    });

    it('find a block of an older version by the id it still has', async () => {
      const { id, version } = await page(BASE);
      const { blocks } = (await call('list_blocks', { page: id })) as { blocks: { id: string }[] };
      await call('edit_page', { page: id, edits: [{ op: 'prepend', section: 'T', text: 'Zero.' }] });
      const edits = [{ op: 'replace_block', block: blocks[3]?.id, text: '3.' }];
      await call('edit_page', { page: id, base_version: version, edits });
      expect(await textOf(id)).toBe('# T\n\nZero.\n\nOne.\n\nTwo.\n\n3.\n');
    });

    it.each([
      { op: 'replace_section', section: 'T', text: 'x' },
      { op: 'replace_block', block: '^none', text: 'x' },
      { op: 'delete_block', block: '^none' },
    ])('that take away unseen text need to say which: %j', async (edit) => {
      const { id } = await page(BASE);
      await expect(call('edit_page', { page: id, edits: [edit] })).rejects.toMatchObject({
        code: 'conflict',
        details: { reason: 'stale', field: 'edits.0' },
      });
    });

    it('may name a block by its digest instead', async () => {
      const { id } = await page(BASE);
      const { blocks } = (await call('list_blocks', { page: id })) as {
        blocks: { id: string; digest: string }[];
      };
      const [, one] = blocks;
      const edits = [{ op: 'delete_block', block: one?.id, digest: one?.digest }];
      await call('edit_page', { page: id, edits });
      expect(await textOf(id)).toBe('# T\n\nTwo.\n\nThree.\n');
    });

    it('of an agent on a canonical page wait for an author', async () => {
      const { id } = await page(BASE);
      const agent = sluice.as({ name: 'bot', role: 'client', kind: 'agent', origin: 'agent-produced' });
      const edits = [{ op: 'append', text: 'x' }];
      const outcome = await agent.call('edit_page', { page: id, edits }).catch((error) => error);
      expect(JSON.stringify(outcome)).toMatch(/review_required|proposal/);
      expect(await textOf(id)).toBe(BASE);
    });

    it('are made once when they are sent twice with one key', async () => {
      const { id } = await page('a\n');
      const wish = { page: id, edits: [{ op: 'append', text: 'b' }], idempotency_key: 'k' };
      expect(await call('edit_page', wish)).toEqual(await call('edit_page', wish));
      expect(await textOf(id)).toBe('a\n\nb\n');
    });
  });

  it('[EDIT-07] blocks are listed page by page, and read together they are the text', async () => {
    const text = `---\na: 1\n---\n# A\n\n${'Word '.repeat(300)}\n\n## B\r\n\n- x\n- y ^anchor\n\n## B\n\n漢字 🏳️‍🌈\n`;
    const { id, version } = await page(text);
    const listed: Answer[] = [];
    let cursor: unknown;
    do {
      const part = await call('list_blocks', { page: id, max_tokens: 150, ...(cursor ? { cursor } : {}) });
      listed.push(...(part.blocks as Answer[]));
      expect(part).toMatchObject({ total: 8, version });
      cursor = part.next_cursor;
    } while (cursor !== undefined);
    expect(listed.map(({ kind, heading_path, ordinal }) => [kind, heading_path, ordinal])).toEqual([
      ['frontmatter', [], undefined],
      ['heading', ['A'], 1],
      ['paragraph', ['A'], undefined],
      ['heading', ['A', 'B'], 1],
      ['list_item', ['A', 'B'], undefined],
      ['list_item', ['A', 'B'], undefined],
      ['heading', ['A', 'B'], 2],
      ['paragraph', ['A', 'B'], undefined],
    ]);
    let whole = '';
    for (const { id: block, digest } of listed) {
      for (let next: unknown = null; next !== undefined; ) {
        const part = await call('read_block', {
          page: id,
          block,
          max_tokens: 50,
          ...(next ? { cursor: next } : {}),
        });
        expect(part).toMatchObject({ id: block, digest });
        whole += part.content;
        next = part.next_cursor;
      }
    }
    expect(whole).toBe(text);
    expect(await call('read_block', { page: id, block: '^anchor' })).toMatchObject({
      content: '- y ^anchor\n\n',
    });
    await expect(call('read_block', { page: id, block: 'none' })).rejects.toMatchObject({
      code: 'not_found',
    });
    const first = await call('list_blocks', { page: id, max_tokens: 100 });
    await call('edit_page', { page: id, edits: [{ op: 'append', text: 'x' }] });
    await expect(call('list_blocks', { page: id, cursor: first.next_cursor })).rejects.toMatchObject({
      code: 'conflict',
    });
  });
});

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { createSluice, type Sluice } from './create-sluice.ts';

const folder = temporaryFolder();
let homes = 0;
let sluice: Sluice;
let now = Date.UTC(2026, 0, 1);

beforeEach(async () => {
  homes += 1;
  sluice = await createSluice({ home: `${folder}/${homes}`, clock: { now: () => now } });
  const opened = sluice;
  onTestFinished(() => opened.close());
});

async function page(path: string, content = ''): Promise<string> {
  const parts = path.split('/');
  const title = parts.pop();
  const parent = parts.length > 0 ? parts.join('/') : null;
  return (await sluice.call('create_page', { title, content, parent })).id as string;
}

const trash = async (reference: string) => {
  now += 1;
  return sluice.call('delete_page', { page: reference }) as Promise<{ batch: string; count: number }>;
};

interface Restored {
  readonly id: string;
  readonly path: string;
  readonly note?: string;
}

const restore = async (wish: { batch: string } | { page: string }): Promise<readonly Restored[]> =>
  (await sluice.call('restore_page', wish)).restored as Restored[];

const pathOf = async (id: string): Promise<string> => {
  try {
    return (await sluice.call('read_page', { page: id })).path as string;
  } catch (error) {
    return (error as { code: string }).code;
  }
};

interface Node {
  readonly path: string;
  readonly children: readonly Node[];
}

const paths = async (): Promise<string[]> => {
  const flat = (nodes: readonly Node[]): string[] =>
    nodes.flatMap((node) => [node.path, ...flat(node.children)]);
  return flat((await sluice.call('get_page_tree')).tree as Node[]);
};

const statuses = async (reference: string): Promise<string[]> => {
  const { links } = await sluice.call('get_outgoing_links', { page: reference });
  return (links as { status: string; target?: { path: string } }[]).map(({ status, target }) =>
    target ? `${status} ${target.path}` : status,
  );
};

describe('[PAGE-05] a deletion', () => {
  it('takes the page and everything below it, as one batch', async () => {
    await page('a');
    await page('a/b');
    await page('a/b/c', 'unusual word');
    await page('d');
    const { batch, count } = await trash('a');
    expect(count).toBe(3);
    expect(batch).toMatch(/^[0-9a-f-]{36}$/);
    expect(await paths()).toEqual(['d']);
    const { batches } = await sluice.call('list_trash');
    expect(batches).toEqual([
      {
        batch,
        deleted_at: new Date(now).toISOString(),
        deleted_by: 'owner',
        count: 3,
        pages: [expect.objectContaining({ title: 'a' }), expect.anything(), expect.anything()],
      },
    ]);
  });

  it('takes pages out of search, tree, backlinks and references', async () => {
    const id = await page('Gone', 'unusual [[Stays]]');
    await page('Stays', '[[Gone]]');
    await trash('gone');
    expect((await sluice.call('search', { query: 'unusual' })).results).toEqual([]);
    expect((await sluice.call('search', { query: 'gone' })).results).toMatchObject([{ title: 'Stays' }]);
    expect(await sluice.call('get_backlinks', { page: 'stays' })).toEqual({ links: [], total: 0 });
    for (const reference of [id, 'gone', 'Gone']) {
      await expect(sluice.call('read_page', { page: reference })).rejects.toMatchObject({
        code: 'not_found',
      });
    }
    await expect(sluice.call('create_page', { title: 'x', parent: id })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect((await sluice.call('get_workspace')).pages).toBe(1);
  });

  it('leaves links to it as they are, and says that they lead into the trash', async () => {
    await page('Gone');
    await page('From', '[[Gone]]');
    await trash('gone');
    expect(await statuses('from')).toEqual(['trashed gone']);
    expect((await sluice.call('read_page', { page: 'from' })).content).toBe('[[Gone]]');
  });

  it('is still told of links when their page is edited elsewhere', async () => {
    await page('Gone');
    await page('From', '[[Gone]]\n');
    await trash('gone');
    const { version } = await sluice.call('read_page', { page: 'from' });
    await sluice.call('update_page_content', {
      page: 'from',
      content: 'New. [[Gone]]\n',
      base_version: version,
    });
    expect(await statuses('from')).toEqual(['trashed gone']);
  });

  it('turns links to another page that has the name', async () => {
    await page('a');
    await page('Note');
    const other = await page('a/Note');
    await page('From', '[[Note]]');
    expect(await statuses('from')).toEqual(['resolved note']);
    const { batch } = await trash('note');
    expect(await statuses('from')).toEqual(['resolved a/note']);
    expect((await sluice.call('get_backlinks', { page: other })).total).toBe(1);
    await restore({ batch });
    expect(await statuses('from')).toEqual(['resolved note']);
  });

  it('settles what was ambiguous', async () => {
    await page('a');
    await page('b');
    await page('a/Twin');
    await page('b/Twin');
    await page('From', '[[Twin]]');
    expect(await statuses('from')).toEqual(['ambiguous']);
    const { batch } = await trash('a/twin');
    expect(await statuses('from')).toEqual(['resolved b/twin']);
    await restore({ batch });
    expect(await statuses('from')).toEqual(['ambiguous']);
  });

  it('frees the name', async () => {
    await page('Name');
    await page('From', '[[Name]]');
    await trash('name');
    const made = await sluice.call('create_page', { title: 'Name' });
    expect(made.slug).toBe('name');
    expect(await statuses('from')).toEqual(['resolved name']);
  });

  it('twice is an error, like any page that is not there', async () => {
    const id = await page('Once');
    await trash(id);
    await expect(trash(id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('comes in batches, newest first, by cursor', async () => {
    for (let i = 0; i < 7; i += 1) await trash(await page(`P${i}`));
    const seen: string[] = [];
    let cursor: unknown;
    do {
      const part: Record<string, unknown> = await sluice.call('list_trash', { limit: 3, cursor });
      seen.push(
        ...(part.batches as { pages: { title: string }[] }[]).map(({ pages }) => pages[0]?.title ?? ''),
      );
      cursor = part.next_cursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(['P6', 'P5', 'P4', 'P3', 'P2', 'P1', 'P0']);
    await expect(sluice.call('list_trash', { cursor: 'x' })).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

describe('[PAGE-06] a restore', () => {
  it('of a batch puts back exactly what it took, where it was and as it was', async () => {
    await page('a', 'A [[c]]');
    await page('a/b');
    await page('a/b/c', 'C unusual');
    await page('d', '[[c]]');
    const before = await sluice.call('get_page_tree');
    const content = await sluice.call('read_page', { page: 'a/b/c' });
    const { batch } = await trash('a');
    const restored = await restore({ batch });
    expect(restored.map(({ path, note }) => [path, note])).toEqual([
      ['a', undefined],
      ['a/b', undefined],
      ['a/b/c', undefined],
    ]);
    expect(await sluice.call('get_page_tree')).toEqual(before);
    expect(await sluice.call('read_page', { page: 'a/b/c' })).toEqual(content);
    expect(await statuses('d')).toEqual(['resolved a/b/c']);
    expect(await statuses('a')).toEqual(['resolved a/b/c']);
    expect((await sluice.call('search', { query: 'unusual' })).results).toHaveLength(1);
    expect((await sluice.call('list_trash')).batches).toEqual([]);
  });

  it('leaves in the trash what went there earlier', async () => {
    await page('a');
    const early = await page('a/early');
    const late = await page('a/late');
    const first = await trash('a/early');
    const second = await trash('a');
    await restore({ batch: second.batch });
    expect(await paths()).toEqual(['a', 'a/late']);
    expect(await pathOf(early)).toBe('not_found');
    expect(await pathOf(late)).toBe('a/late');
    await restore({ batch: first.batch });
    expect(await pathOf(early)).toBe('a/early');
  });

  it('of one page brings what lay below it, and leaves the rest of the batch', async () => {
    await page('a');
    const b = await page('a/b');
    const c = await page('a/b/c');
    const other = await page('a/other');
    const { batch } = await trash('a');
    const restored = await restore({ page: b });
    expect(restored.map(({ path }) => path)).toEqual(['b', 'b/c']);
    expect(restored[0]?.note).toContain('root');
    expect(await pathOf(c)).toBe('b/c');
    expect(await pathOf(other)).toBe('not_found');
    const rest = await restore({ batch });
    expect(rest.map(({ path }) => path).sort()).toEqual(['a', 'a/other']);
    // What was restored on its own stays where it went.
    expect(await pathOf(b)).toBe('b');
  });

  it('under a parent that is in the trash goes to the nearest page above that is not, and says so', async () => {
    await page('top');
    await page('top/middle');
    const leaf = await page('top/middle/leaf');
    const { batch } = await trash(leaf);
    await trash('top/middle');
    const [restored] = await restore({ batch });
    expect(restored).toMatchObject({ path: 'top/leaf', note: expect.stringContaining('nearest page above') });
  });

  it('where its slug was taken meanwhile gets a number, and says so', async () => {
    const id = await page('Name');
    const { batch } = await trash('name');
    await page('Name');
    const [restored] = await restore({ batch });
    expect(restored).toMatchObject({ id, path: 'name-2', note: 'its slug was taken; it is "name-2" now' });
  });

  it('keeps its place among its siblings, next to one that came to have it', async () => {
    for (const title of ['a', 'b', 'c']) await page(title);
    const { batch } = await trash('b');
    await page('d');
    await restore({ batch });
    expect(await paths()).toEqual(['a', 'b', 'c', 'd']);
    const last = await trash('d');
    await page('e');
    await restore({ batch: last.batch });
    expect((await paths()).slice(0, 3)).toEqual(['a', 'b', 'c']);
    expect((await paths()).slice(3).sort()).toEqual(['d', 'e']);
  });

  it('follows a parent that has moved', async () => {
    await page('a');
    await page('b');
    const id = await page('a/child');
    const { batch } = await trash('a/child');
    await sluice.call('move_page', { page: 'a', parent: 'b' });
    await restore({ batch });
    expect(await pathOf(id)).toBe('b/a/child');
  });

  it('reads what its links mean now', async () => {
    await page('Target');
    await page('From', '[[Target]] [[Later]]');
    const { batch } = await trash('from');
    await sluice.call('rename_page', { page: 'target', title: 'Other' });
    await page('Later');
    await restore({ batch });
    expect(await statuses('from')).toEqual(['unresolved', 'resolved later']);
  });

  it('after its target was renamed and deleted reads that nothing has the name, also once the target is back', async () => {
    await page('Target');
    await page('From', '[[Target]]');
    const { batch } = await trash('from');
    await sluice.call('rename_page', { page: 'target', title: 'Other' });
    const gone = await trash('other');
    await restore({ batch });
    expect(await statuses('from')).toEqual(['unresolved']);
    await restore({ batch: gone.batch });
    expect(await statuses('from')).toEqual(['unresolved']);
  });

  it('twice is a conflict', async () => {
    const id = await page('Once');
    const { batch } = await trash(id);
    await restore({ batch });
    const again = { code: 'conflict', details: { reason: 'restored' } };
    await expect(restore({ batch })).rejects.toMatchObject(again);
    await expect(restore({ page: id })).rejects.toMatchObject(again);
  });

  it.each([
    [{ batch: '0199a0b1-1111-7111-8111-111111111111' }, 'not_found'],
    [{ batch: 'x' }, 'not_found'],
    [{ page: '0199a0b1-1111-7111-8111-111111111111' }, 'not_found'],
    [{ page: 'name' }, 'not_found'],
    [{}, 'invalid_input'],
    [{ batch: 'x', page: 'y' }, 'invalid_input'],
  ])('of %j is refused', async (wish, code) => {
    await expect(sluice.call('restore_page', wish)).rejects.toMatchObject({ code });
  });

  it('is in the history of the page, like its deletion', async () => {
    const id = await page('Kept');
    const { batch } = await trash(id);
    await restore({ batch });
    const { events } = await sluice.call('get_page_history', { page: id });
    expect((events as { kind: string }[]).map(({ kind }) => kind)).toEqual([
      'page_restored',
      'page_trashed',
      'page_created',
    ]);
  });

  it('of pages of another workspace is not possible', async () => {
    const { batch } = await trash(await page('Here'));
    await sluice.call('workspace.create', { name: 'other' });
    await sluice.call('workspace.open', { workspace: 'other' });
    await expect(restore({ batch })).rejects.toMatchObject({ code: 'not_found' });
    expect((await sluice.call('list_trash')).batches).toEqual([]);
  });
});

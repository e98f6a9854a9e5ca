import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { expectConsistent } from '../../test/support/check-consistency.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { createSluice, type Sluice } from './create-sluice.ts';

const folder = temporaryFolder();
let homes = 0;
let sluice: Sluice;

beforeEach(async () => {
  homes += 1;
  sluice = await createSluice({ home: `${folder}/${homes}` });
  const opened = sluice;
  onTestFinished(() => opened.close());
});

type Answer = Record<string, unknown>;

const page = (title: string, content = '', parent: string | null = null): Promise<Answer> =>
  sluice.call('create_page', { title, content, parent });
const read = (reference: string): Promise<Answer> => sluice.call('read_page', { page: reference });
const textOf = async (reference: string): Promise<unknown> => (await read(reference)).content;
const rename = (reference: string, title: string, more: Answer = {}): Promise<Answer> =>
  sluice.call('rename_page', { page: reference, title, ...more });
const move = (reference: string, parent: string | null, more: Answer = {}): Promise<Answer> =>
  sluice.call('move_page', { page: reference, parent, ...more });
const undo = (change: unknown, more: Answer = {}): Promise<Answer> =>
  sluice.call('undo_change', { change, ...more });
const refused = (code: string, reason?: string) => ({
  code,
  ...(reason !== undefined && { details: expect.objectContaining({ reason }) }),
});
const meant = async (reference: string): Promise<unknown[]> =>
  (
    (await sluice.call('get_outgoing_links', { page: reference })).links as {
      status: string;
      target?: { path: string };
    }[]
  ).map(({ status, target }) => (status === 'resolved' ? target?.path : status));

const TEXT = '---\nup: "[[old NAME#x]]"\n---\n[[Old name]] [t](old-name.md) ![[OLD NAME|s]] [[Other]]\n';

describe('[LINK-37] undoing a rename', () => {
  it('gives every text its old bytes, and the page its names, in one change', async () => {
    const { id } = await page('Old name', 'I am [[old name]].');
    await page('From', TEXT);
    const { change } = await rename('old-name', 'New name', { keep_alias: true });
    expect(await textOf('from')).not.toBe(TEXT);
    const done = await undo(change);
    expect(done).toMatchObject({ id, title: 'Old name', slug: 'old-name', updated_pages: 2, skipped: [] });
    expect(await textOf('from')).toBe(TEXT);
    expect(await read('old-name')).toMatchObject({ content: 'I am [[old name]].', aliases: [] });
    const [event] = (await sluice.call('get_page_history', { page: 'from' })).events as Answer[];
    expect(event).toMatchObject({ kind: 'links_rewritten', tool: 'undo_change' });
  });

  it('can be undone in its turn, and so on', async () => {
    await page('Old name');
    await page('From', TEXT);
    const renamed = await rename('old-name', 'New name', { keep_alias: true });
    const after = await textOf('from');
    const undone = await undo(renamed.change);
    const again = await undo(undone.change);
    expect(again).toMatchObject({ title: 'New name', slug: 'new-name' });
    expect([await textOf('from'), (await read('new-name')).aliases]).toEqual([after, ['Old name']]);
    await undo(again.change);
    expect(await textOf('from')).toBe(TEXT);
  });

  it('is refused twice', async () => {
    await page('Old');
    const { change } = await rename('old', 'New');
    const undone = await undo(change);
    await expect(undo(change)).rejects.toMatchObject(refused('conflict', 'undone'));
    await undo(undone.change);
    await expect(undo(change)).rejects.toMatchObject(refused('conflict', 'undone'));
  });

  it('is refused when the page is gone, was renamed again, or the change is of another kind', async () => {
    await page('Old');
    const { change } = await rename('old', 'New');
    const { change: later } = await rename('new', 'Newer');
    await expect(undo(change)).rejects.toMatchObject(refused('conflict', 'changed'));
    const { batch } = await sluice.call('delete_page', { page: 'newer' });
    await expect(undo(later)).rejects.toMatchObject(refused('conflict', 'gone'));
    await sluice.call('restore_page', { batch });
    expect(await undo(later)).toMatchObject({ title: 'New' });
    await expect(undo(1)).rejects.toMatchObject(refused('invalid_input'));
    await expect(undo(9_999)).rejects.toMatchObject(refused('not_found'));
  });

  it('tells first what it would do, and does nothing', async () => {
    await page('Old');
    await page('From', '[[old]]');
    const { change } = await rename('old', 'New');
    const foreseen = await undo(change, { dry_run: true });
    expect(foreseen).toMatchObject({ changed: false, dry_run: true, title: 'Old', path: 'old' });
    expect(await textOf('from')).toBe('[[New]]');
    const { change: number, ...done } = await undo(change);
    expect({ ...done, changed: false, dry_run: true }).toEqual(foreseen);
    expect(number).toBeGreaterThan(change as number);
  });

  it('gives links back that were only written anew to keep their meaning', async () => {
    await page('deep');
    await page('Topic', '', 'deep');
    await page('From', '[[Topic]]');
    await page('Other');
    const { change } = await rename('other', 'Topic');
    expect(await textOf('from')).toBe('[[deep/Topic]]');
    await undo(change);
    expect([await textOf('from'), await meant('from')]).toEqual(['[[Topic]]', ['deep/topic']]);
  });

  it('leaves links that the new name had captured as they are: they mean nothing again', async () => {
    await page('From', '[[Wanted]]');
    await page('Other');
    const { change } = await rename('other', 'Wanted');
    await undo(change);
    expect([await textOf('from'), await meant('from')]).toEqual(['[[Wanted]]', ['unresolved']]);
  });

  it('is for whoever may rename: a program does not undo what an author did to a canonical page', async () => {
    await page('Old');
    const { change } = await rename('old', 'New');
    const agent = sluice.as({ name: 'ag', role: 'agent', kind: 'agent' });
    expect(await agent.call('undo_change', { change })).toMatchObject({ proposal: { op: 'undo_change' } });
    expect(await sluice.call('read_page', { page: 'new' })).toMatchObject({ title: 'New' });
    const reader = sluice.as({ name: 'r', role: 'agent', kind: 'agent', scopes: ['workspace.read'] });
    await expect(reader.call('undo_change', { change })).rejects.toMatchObject({ code: 'unknown_tool' });
  });
});

describe('[LINK-37] undoing a move', () => {
  it('puts the page back among its siblings, with its slug and every link', async () => {
    await page('a');
    await page('First', '', 'a');
    await page('Note', '[[First]]', 'a');
    await page('Last', '', 'a');
    await page('b');
    await page('Note', '', 'b');
    await page('First', '', 'b');
    await page('From', '[[a/Note]] [t](./a/Note.md)');
    const { change } = await move('a/note', 'b');
    expect(await textOf('b/note-2')).toBe('[[a/First]]');
    expect(await undo(change)).toMatchObject({ path: 'a/note' });
    expect([await textOf('a/note'), await textOf('from')]).toEqual([
      '[[First]]',
      '[[a/Note]] [t](./a/Note.md)',
    ]);
    const tree = await sluice.call('get_page_tree', { root: 'a' });
    expect(JSON.stringify(tree).match(/"slug":"\w+"/g)).toEqual(
      ['first', 'note', 'last'].map((slug) => `"slug":"${slug}"`),
    );
  });

  it('is refused when where it was is gone, or lies below it now', async () => {
    await page('a');
    await page('Note', '', 'a');
    const { change } = await move('a/note', null);
    const back = await move('a', 'note');
    await expect(undo(change)).rejects.toMatchObject(refused('conflict', 'cycle'));
    await undo(back.change);
    await sluice.call('delete_page', { page: 'a' });
    await expect(undo(change)).rejects.toMatchObject(refused('conflict', 'gone'));
  });
});

describe('[LINK-38] undoing keeps what others did since', () => {
  it('in texts that were changed: their changes stay, and links go back', async () => {
    await page('Old');
    await page('From', '[[old|x]] one\n\ntwo\n');
    const { change } = await rename('old', 'New');
    const { version } = await read('from');
    const content = 'before [[New|x]] one\n\ntwo [[New]] and more\n';
    await sluice.call('update_page_content', { page: 'from', content, base_version: version });
    expect(await undo(change)).toMatchObject({ skipped: [], updated_links: 2 });
    expect(await textOf('from')).toBe('before [[old|x]] one\n\ntwo [[old]] and more\n');
    expect(await meant('from')).toEqual(['old', 'old']);
  });

  it('in links made since: they go on meaning the page', async () => {
    await page('Old');
    const { change } = await rename('old', 'New');
    await page('Later', '[[New]]');
    await undo(change);
    expect([await textOf('later'), await meant('later')]).toEqual(['[[Old]]', ['old']]);
  });

  it('in names: where another page has the old one now, links still mean the right page', async () => {
    const { id } = await page('Old');
    await page('From', '[[Old]]');
    const { change } = await rename('old', 'New');
    await page('Old');
    expect(await undo(change)).toMatchObject({ id, title: 'Old', slug: 'old-2' });
    expect(await meant('from')).toEqual(['old-2']);
  });

  it('in pages with a fence that was left open since: they are reported and left alone', async () => {
    await page('Old');
    const { id } = await page('From', '[[Old]]\n');
    const { change } = await rename('old', 'New');
    const { version } = await read('from');
    const content = '[[New]]\n\n```\n';
    await sluice.call('update_page_content', { page: 'from', content, base_version: version });
    expect(await undo(change)).toMatchObject({ updated_pages: 0, skipped: [{ page: id }] });
    expect(await textOf('from')).toBe(content);
  });
});

it('[LINK-37] undoing a move finds a place of its own, also where its key was the same in both places', async () => {
  const [from, to] = [await page('From'), await page('To')];
  const { id } = await page('Mover', '', String(from.id));
  const { change } = await move(String(id), String(to.id));
  await page('Newcomer', '', String(from.id));
  await undo(change);
  await sluice.close();
  await expectConsistent(`${folder}/${homes}`, {});
});

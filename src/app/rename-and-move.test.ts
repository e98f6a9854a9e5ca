import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { createSluice, type Sluice, type SluiceClient } from './create-sluice.ts';

const folder = temporaryFolder();
let homes = 0;
let sluice: Sluice;

beforeEach(async () => {
  homes += 1;
  sluice = await createSluice({ home: `${folder}/${homes}` });
  const opened = sluice;
  onTestFinished(() => opened.close());
});

interface Facts {
  readonly id: string;
  readonly slug: string;
  readonly path: string;
  readonly version: string;
  readonly title: string;
}

/** Makes a page at a path of titles; what lies above it has to exist. */
async function page(path: string, content = '', as: SluiceClient = sluice): Promise<Facts> {
  const parts = path.split('/');
  const title = parts.pop();
  const parent = parts.length > 0 ? parts.join('/') : null;
  return (await as.call('create_page', { title, content, parent })) as unknown as Facts;
}

const textOf = async (reference: string): Promise<string> =>
  (await sluice.call('read_page', { page: reference })).content as string;

interface Link {
  readonly status: string;
  readonly written: string;
  readonly target?: { readonly id: string; readonly path: string };
  readonly candidates: readonly { readonly path: string }[];
}

const linksOf = async (reference: string): Promise<Link[]> =>
  (await sluice.call('get_outgoing_links', { page: reference })).links as Link[];

/** What the links of a page mean: a path, or why there is none. */
const meant = async (reference: string): Promise<string[]> =>
  (await linksOf(reference)).map(({ status, target }) =>
    status === 'resolved' ? (target?.path ?? '?') : status,
  );

const historyOf = async (reference: string): Promise<Record<string, unknown>[]> =>
  (await sluice.call('get_page_history', { page: reference })).events as Record<string, unknown>[];

const rename = (reference: string, title: string, more: Record<string, unknown> = {}) =>
  sluice.call('rename_page', { page: reference, title, ...more });

const move = (reference: string, parent: string | null, position?: number) =>
  sluice.call('move_page', { page: reference, parent, ...(position !== undefined && { position }) });

describe('[LINK-05] a rename', () => {
  it('rewrites every link to the page, in every form, and nothing else', async () => {
    await page('Old name', 'I am [[Old name]].');
    const text = [
      '---',
      'related: ["[[Old name]]", "[[Old name#Part|x]]"]',
      '---',
      '[[Old name]] [[old NAME|shown]] ![[Old name#^b1]] [t](Old%20name.md "T") [t](<Old name>) `[[Old name]]`',
      '',
      '| [[Old name\\|cell]] |',
      '| --- |',
      '',
      '```',
      '[[Old name]]',
      '```',
      '[ref]: old-name',
      'Old name, unlinked, and [[Old name 2]] [[Older name]].',
      '',
    ].join('\n');
    await page('From', text);
    const done = await rename('old-name', 'New name');
    expect(done).toMatchObject({ changed: true, updated_pages: 2, updated_links: 10, skipped: [] });
    expect(await textOf('from')).toBe(
      [
        '---',
        'related: ["[[New name]]", "[[New name#Part|x]]"]',
        '---',
        '[[New name]] [[New name|shown]] ![[New name#^b1]] [t](New%20name.md "T") [t](<New name>) `[[Old name]]`',
        '',
        '| [[New name\\|cell]] |',
        '| --- |',
        '',
        '```',
        '[[Old name]]',
        '```',
        '[ref]: New%20name',
        'Old name, unlinked, and [[Old name 2]] [[Older name]].',
        '',
      ].join('\n'),
    );
    expect(await textOf('new-name')).toBe('I am [[New name]].');
  });

  it('leaves alone a link that goes on meaning the page', async () => {
    await page('Log', '');
    await page('From', '[[LOG]] and [[log]]');
    const before = await sluice.call('read_page', { page: 'from' });
    expect(await rename('log', 'LOG')).toMatchObject({ changed: true, updated_pages: 0, slug: 'log' });
    expect(await sluice.call('read_page', { page: 'from' })).toMatchObject({ version: before.version });
  });

  it('of case alone works, and does not trip over itself', async () => {
    const made = await page('readme', '');
    const done = await rename(made.id, 'README');
    expect(done).toMatchObject({ changed: true, title: 'README', slug: 'readme', path: 'readme' });
  });

  it('to the same name is nothing, without an event', async () => {
    const made = await page('Same', '[[Same]]');
    const before = await historyOf('same');
    expect(await rename(made.id, '  Same ')).toMatchObject({ changed: false, version: made.version });
    expect(await historyOf('same')).toEqual(before);
  });

  it('gets a free slug among its siblings and never renumbers one', async () => {
    await page('Alpha', '');
    await page('Beta', '');
    expect(await rename('beta', 'Alpha')).toMatchObject({ slug: 'alpha-2' });
    expect(await rename('alpha-2', 'ALPHA')).toMatchObject({ slug: 'alpha-2' });
    await rename('alpha', 'Gamma');
    expect(await sluice.call('read_page', { page: 'alpha-2' })).toMatchObject({ title: 'ALPHA' });
  });

  it('writes a path where the bare name would mean another page', async () => {
    await page('a', '');
    await page('a/Target', '');
    await page('Name', '');
    await page('From', '[[Target]]');
    await rename('a/target', 'Name');
    expect(await textOf('from')).toBe('[[a/Name]]');
    expect(await meant('from')).toEqual(['a/name']);
  });

  it('keeps links to others that its new name would have taken', async () => {
    await page('deep', '');
    await page('deep/Topic', '');
    await page('From', '[[Topic]]');
    await page('Other', '');
    expect(await meant('from')).toEqual(['deep/topic']);
    const done = await rename('other', 'Topic');
    expect(done).toMatchObject({ updated_links: 1 });
    expect(await textOf('from')).toBe('[[deep/Topic]]');
    expect(await meant('from')).toEqual(['deep/topic']);
  });

  it('captures links that had no target', async () => {
    await page('From', '[[Wanted]]');
    await page('Other', '');
    expect(await meant('from')).toEqual(['unresolved']);
    expect(await rename('other', 'Wanted')).toMatchObject({ updated_pages: 0 });
    expect(await meant('from')).toEqual(['wanted']);
  });

  it('settles links that were ambiguous', async () => {
    await page('a', '');
    await page('b', '');
    await page('a/Twin', '');
    await page('b/Twin', '');
    await page('From', '[[Twin]]');
    const [link] = await linksOf('from');
    expect(link).toMatchObject({ status: 'ambiguous' });
    expect(link?.candidates.map(({ path }) => path).sort()).toEqual(['a/twin', 'b/twin']);
    await rename('a/twin', 'Single');
    expect(await meant('from')).toEqual(['b/twin']);
    expect(await textOf('from')).toBe('[[Twin]]');
  });

  it('carries links whose path goes through the page', async () => {
    await page('Folder', '');
    await page('Folder/Note', '');
    await page('Other', '');
    await page('Other/Note', '');
    await page('From', '[[Folder/Note]] [[folder/note|x]] [t](Folder/Note.md)');
    const done = await rename('folder', 'Renamed');
    expect(done).toMatchObject({ updated_pages: 1, updated_links: 3 });
    expect(await textOf('from')).toBe('[[Renamed/Note]] [[Renamed/Note|x]] [t](Renamed/Note.md)');
    expect(await meant('from')).toEqual(['renamed/note', 'renamed/note', 'renamed/note']);
  });

  it('tells first what it would do, and does nothing', async () => {
    await page('Old', '[[Old]]');
    await page('One', '[[Old]] [[Old]]');
    const before = await historyOf('old');
    expect(await rename('old', 'New', { dry_run: true })).toMatchObject({
      dry_run: true,
      changed: false,
      title: 'New',
      slug: 'new',
      path: 'new',
      updated_pages: 2,
      updated_links: 3,
    });
    expect(await historyOf('old')).toEqual(before);
    expect(await textOf('one')).toBe('[[Old]] [[Old]]');
    await expect(sluice.call('read_page', { page: 'new' })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('[LINK-34] reports pages with a fence that never ends, and does not touch them', async () => {
    await page('Old', '');
    const made = await page('From', '[[Old]]\n\n```\n[[Old]]\n');
    const done = await rename('old', 'New');
    expect(done).toMatchObject({
      updated_links: 0,
      skipped: [{ page: made.id, reason: expect.stringContaining('code fence') }],
    });
    expect(await sluice.call('read_page', { page: 'from' })).toMatchObject({
      content: '[[Old]]\n\n```\n[[Old]]\n',
      version: made.version,
    });
    expect(await meant('from')).toEqual(['unresolved']);
  });

  it('is one change in the log, and its rewrites are the system’s', async () => {
    await page('Old', '');
    await page('From', '[[Old]]');
    await rename('old', 'New');
    const [event] = await historyOf('from');
    expect(event).toMatchObject({ kind: 'links_rewritten', tool: 'rename_page' });
    expect((await historyOf('new'))[0]).toMatchObject({
      kind: 'page_renamed',
      call: event?.call,
    });
  });

  it('keeps origin and lifecycle of the pages whose links it rewrites, and their history says who', async () => {
    const agent = sluice.as({ name: 'ag', role: 'agent', kind: 'agent' });
    await page('Draft', '');
    const candidate = await page('From', '[[Draft]]', agent);
    await sluice.call('rename_page', { page: 'draft', title: 'Better' });
    expect(await sluice.call('read_page', { page: candidate.id })).toMatchObject({
      content: '[[Better]]',
      origin: 'agent-produced',
      lifecycle: 'candidate',
    });
  });
});

describe('[LINK-39] rewrites of a rename', () => {
  it('merge with edits that were begun before it, also of the same page twice', async () => {
    await page('Old', '');
    const made = await page('From', 'one [[Old]]\n\ntwo\n\nthree\n');
    await rename('old', 'New');
    await sluice.call('update_page_content', {
      page: 'from',
      content: 'one [[Old]]\n\ntwo, changed\n\nthree\n',
      base_version: made.version,
    });
    expect(await textOf('from')).toBe('one [[New]]\n\ntwo, changed\n\nthree\n');
    expect(await meant('from')).toEqual(['new']);
  });

  it('are one change: every event has the number that the rename answered', async () => {
    await page('Old', '[[Old]]');
    for (const name of ['A', 'B', 'C']) await page(name, '[[Old]]');
    const { change } = await rename('old', 'New');
    const [own, self] = await historyOf('new');
    expect([own?.kind, self?.kind]).toEqual(['links_rewritten', 'page_renamed']);
    expect([own?.change, self?.change, self?.sequence]).toEqual([change, change, change]);
    const sequences = [own, ...(await Promise.all(['a', 'b', 'c'].map(historyOf))).map(([event]) => event)];
    expect(sequences.map((event) => Number(event?.sequence) - Number(change)).sort()).toEqual([1, 2, 3, 4]);
  });
});

describe('[LINK-40] a new name', () => {
  it.each([
    ['a back-tick', 'a`b', '[[Old]] and `code` [[Other]]\n'],
    ['a quote in frontmatter', "it's", "---\nup: '[[Old]]'\n---\ntext\n"],
  ])('with %s does not destroy a text in which it means something', async (_, title, text) => {
    await page('Old', '');
    await page('Other', '');
    const made = await page('From', text);
    await page('Plain', '[[Old]]');
    const foretold = await rename('old', title, { dry_run: true });
    const done = await rename('old', title);
    expect(done).toMatchObject({ updated_pages: 1, skipped: [{ page: made.id }] });
    expect(done.skipped).toEqual(foretold.skipped);
    expect([await textOf('from'), await textOf('plain')]).toEqual([text, `[[${title}]]`]);
  });
});

describe('[LINK-06] an alias', () => {
  it('keeps the old title answering for references and new links', async () => {
    await page('Old', '');
    await page('From', '[[Old]]');
    const { id } = await rename('old', 'New', { keep_alias: true });
    expect(await textOf('from')).toBe('[[New]]');
    expect(await sluice.call('read_page', { page: 'Old' })).toMatchObject({ id, aliases: ['Old'] });
    await page('Later', '[[old]]');
    expect(await meant('later')).toEqual(['new']);
  });

  it('is refused where another page has the name', async () => {
    await page('x', '');
    await page('Old', '');
    await page('x/Old', '');
    await expect(rename('old', 'New', { keep_alias: true })).rejects.toMatchObject({
      code: 'conflict',
      details: { reason: 'alias' },
    });
    expect(await sluice.call('read_page', { page: 'old' })).toMatchObject({ title: 'Old' });
    expect(await rename('old', 'New')).toMatchObject({ changed: true });
  });

  it('gives way to a page that gets the name', async () => {
    await page('Old', '');
    await rename('old', 'New', { keep_alias: true });
    await page('From', '[[Old]]');
    expect(await meant('from')).toEqual(['new']);
    await page('Old', '');
    expect(await meant('from')).toEqual(['old']);
  });

  it('is not kept of a name that the page has again', async () => {
    await page('Old', '');
    await rename('old', 'New', { keep_alias: true });
    await rename('new', 'Old');
    expect(await sluice.call('read_page', { page: 'old' })).toMatchObject({ title: 'Old', aliases: [] });
  });
});

describe('[LINK-07] a move', () => {
  it('takes everything below along, and links go on meaning what they meant', async () => {
    await page('a', '');
    await page('a/Top', '');
    await page('a/Top/Leaf', '');
    await page('b', '');
    await page('From', '[[Leaf]] [[a/Top/Leaf]] [[Top/Leaf]] [[a/Top]]');
    const done = await move('a/top', 'b');
    expect(done).toMatchObject({ changed: true, path: 'b/top', updated_pages: 1, updated_links: 2 });
    expect(await textOf('from')).toBe('[[Leaf]] [[Leaf]] [[Top/Leaf]] [[Top]]');
    expect(await meant('from')).toEqual(['b/top/leaf', 'b/top/leaf', 'b/top/leaf', 'b/top']);
  });

  it('keeps links that another page of the same name would win', async () => {
    await page('a', '');
    await page('a/Note', '');
    await page('b', '');
    await page('b/Note', '');
    await page('a/From', '[[Note]]');
    expect(await meant('a/from')).toEqual(['a/note']);
    await move('a/note', 'b');
    expect(await sluice.call('read_page', { page: 'b/note-2' })).toMatchObject({ title: 'Note' });
    expect(await meant('a/from')).toEqual(['b/note-2']);
  });

  it('keeps the links of the moved page itself, which its new folder would turn', async () => {
    await page('a', '');
    await page('b', '');
    const near = await page('a/Note', '');
    await page('b/Note', '');
    await page('a/P', '[[Note]] and [[Other]]');
    expect(await meant('a/p')).toEqual(['a/note', 'unresolved']);
    const done = await move('a/p', 'b');
    expect(done).toMatchObject({ updated_pages: 1, updated_links: 1 });
    expect(await textOf('b/p')).toBe('[[a/Note]] and [[Other]]');
    expect((await linksOf('b/p'))[0]?.target?.id).toBe(near.id);
  });

  it('keeps relative links of the moved page and of those below it', async () => {
    await page('a', '');
    await page('Beta', '');
    const beta = await page('a/Beta', '');
    await page('a/P', '[t](./Beta.md)');
    await page('a/P/Q', '[t](../Beta.md) [u](../../Beta.md)');
    await page('x', '');
    expect(await meant('a/p')).toEqual(['a/beta']);
    expect(await meant('a/p/q')).toEqual(['a/beta', 'beta']);
    await move('a/p', 'x');
    expect((await linksOf('x/p')).map(({ target }) => target?.id)).toEqual([beta.id]);
    expect(await meant('x/p/q')).toEqual(['a/beta', 'beta']);
    expect(await textOf('x/p')).toBe('[t](a/Beta.md)');
  });

  it('refuses a page as its own parent, and any page below it', async () => {
    await page('a', '');
    await page('a/b', '');
    await page('a/b/c', '');
    for (const parent of ['a', 'a/b', 'a/b/c']) {
      await expect(move('a', parent)).rejects.toMatchObject({
        code: 'conflict',
        details: { reason: 'cycle' },
      });
    }
    await expect(move('a', 'nowhere')).rejects.toMatchObject({
      code: 'not_found',
      details: { field: 'parent' },
    });
  });

  it('gets a free slug at its new place', async () => {
    await page('a', '');
    await page('a/Note', '');
    await page('Note', '');
    expect(await move('note', 'a')).toMatchObject({ path: 'a/note-2' });
    expect(await move('a/note-2', null)).toMatchObject({ path: 'note-2' });
  });

  const order = async (): Promise<string[]> =>
    ((await sluice.call('get_page_tree')).tree as { slug: string }[]).map(({ slug }) => slug);

  it('puts the page where it is asked to among its siblings', async () => {
    for (const title of ['a', 'b', 'c', 'd']) await page(title, '');
    await move('d', null, 0);
    expect(await order()).toEqual(['d', 'a', 'b', 'c']);
    await move('d', null, 2);
    expect(await order()).toEqual(['a', 'b', 'd', 'c']);
    await move('a', null, 99);
    expect(await order()).toEqual(['b', 'd', 'c', 'a']);
    await page('e', '');
    expect(await order()).toEqual(['b', 'd', 'c', 'a', 'e']);
  });

  it('to where the page is already is nothing, without an event', async () => {
    for (const title of ['a', 'b', 'c']) await page(title, '');
    await move('c', null, 1);
    const before = await historyOf('c');
    expect(await move('c', null, 1)).toMatchObject({ changed: false });
    expect(await move('a', null, 0)).toMatchObject({ changed: false });
    expect(await move('b', null, 99)).toMatchObject({ changed: false });
    expect(await move('b', null)).toMatchObject({ changed: false });
    expect(await historyOf('c')).toEqual(before);
    expect(await order()).toEqual(['a', 'c', 'b']);
  });

  it('nests at most 64 levels', async () => {
    let parent: string | null = null;
    for (let level = 1; level <= 64; level += 1) {
      const made: Record<string, unknown> = await sluice.call('create_page', { title: `L${level}`, parent });
      parent = made.id as string;
    }
    await expect(sluice.call('create_page', { title: 'Too deep', parent })).rejects.toMatchObject({
      code: 'invalid_input',
      details: { field: 'parent' },
    });
    await page('Top', '');
    await page('Top/Below', '');
    const { tree } = await sluice.call('get_page_tree', { depth: 1 });
    const top = (tree as { id: string; title: string }[]).find(({ title }) => title === 'Top');
    await expect(sluice.call('move_page', { page: top?.id, parent })).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });
});

describe('[LINK-08] a change of title without a rename', () => {
  it('rewrites nothing, but links mean what they say', async () => {
    await page('Old', '');
    await page('From', '[[Old]] [[New]]');
    const done = await sluice.call('update_page_metadata', { page: 'old', title: 'New' });
    expect(done).toMatchObject({ changed: true, slug: 'old', title: 'New', broken_links: 0 });
    expect(await textOf('from')).toBe('[[Old]] [[New]]');
    expect(await meant('from')).toEqual(['old', 'old']);
    expect(await sluice.call('update_page_metadata', { page: 'old', title: 'New' })).toMatchObject({
      changed: false,
      broken_links: 0,
    });
  });

  it('says how many links lead nowhere because of it, of those that the caller sees', async () => {
    await page('Town hall', '');
    for (const title of ['From one', 'From two']) await page(title, '[[Town Hall]] and [[Nowhere]]');
    await page('Secret', '[[Town Hall]]');
    const editor = sluice.as({ name: 'ed', role: 'editor', kind: 'client', origin: 'authored' });
    const rule = { subject_type: 'role', subject: 'editor', pattern: '**', effect: 'allow', reason: 'test' };
    await sluice.call('policy.rule.add', rule);
    const hide = { page: 'secret', subject_type: 'client', subject: 'ed', level: 'hidden' };
    await sluice.call('grant_permission', hide);
    await expect(editor.call('read_page', { page: 'secret' })).rejects.toMatchObject({ code: 'not_found' });
    const done = await editor.call('update_page_metadata', { page: 'town-hall', title: 'Market' });
    expect(done).toMatchObject({ broken_links: 2 });
    expect(await meant('from-one')).toEqual(['unresolved', 'unresolved']);
    const again = await sluice.call('update_page_metadata', { page: 'town-hall', title: 'Town hall' });
    expect(again).toMatchObject({ broken_links: 0 });
    const all = await sluice.call('update_page_metadata', { page: 'town-hall', title: 'Market' });
    expect(all).toMatchObject({ broken_links: 3 });
  });
});

describe('[LINK-09] a new page', () => {
  it('answers to links that had no target, and to bare ones it is nearest to', async () => {
    await page('x', '');
    await page('x/Note', '');
    await page('From', '[[Wanted]] [[Note]] [[wanted#Part]]');
    expect(await meant('from')).toEqual(['unresolved', 'x/note', 'unresolved']);
    await page('Wanted', '');
    await page('Note', '');
    expect(await meant('from')).toEqual(['wanted', 'note', 'wanted']);
    expect(await textOf('from')).toBe('[[Wanted]] [[Note]] [[wanted#Part]]');
    expect((await sluice.call('get_backlinks', { page: 'wanted' })).total).toBe(2);
  });

  it('makes a link ambiguous where it is as near as another', async () => {
    await page('a', '');
    await page('b', '');
    await page('a/Twin', '');
    await page('From', '[[Twin]]');
    await page('b/Twin', '');
    expect(await meant('from')).toEqual(['ambiguous']);
  });

  it('links to itself by its own name, and within itself by a fragment', async () => {
    await page('Self', '[[Self]] [[#Part]]');
    expect((await linksOf('self')).map(({ status }) => status)).toEqual(['resolved', 'self']);
  });
});

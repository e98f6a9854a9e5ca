import { mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { createSluice, type Sluice } from './create-sluice.ts';
import { exportFolder } from './export-folder.ts';
import { type ImportWish, importFolder } from './import-folder.ts';

const open: Sluice[] = [];
afterAll(() => Promise.all(open.map((sluice) => sluice.close())));

async function fresh(): Promise<Sluice> {
  const sluice = await createSluice({ home: temporaryFolder() });
  open.push(sluice);
  return sluice;
}

function folderWith(files: Readonly<Record<string, string | Buffer>>): string {
  const folder = temporaryFolder();
  write(folder, files);
  return folder;
}

function write(folder: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

const bringIn = (sluice: Sluice, folder: string, further: Partial<ImportWish> = {}) =>
  importFolder(sluice.call, { folder, dialect: 'obsidian', canonical: false, dryRun: false, ...further });

const writeOut = async (sluice: Sluice, folder: string, further: { under?: string; force?: boolean } = {}) =>
  exportFolder(sluice.call, { folder, force: false, ...further });

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== '.sluice-export.json')
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();

const linksOf = async (sluice: Sluice, page: string) => {
  const { links } = await sluice.call('get_outgoing_links', { page });
  return (links as { written: string; status: string; target?: { path: string } }[]).map((link) => [
    link.written,
    link.target?.path ?? link.status,
  ]);
};

describe('[IMP-22] names that a page kept', () => {
  it('stand in the frontmatter of an export, beside those that were there, and nowhere else', async () => {
    const sluice = await fresh();
    const exported = async (more: Record<string, unknown> = {}) =>
      new Map(
        ((await sluice.call('export_pages', more)).files as { path: string; text: string }[]).map(
          ({ path, text }) => [path, text] as const,
        ),
      );
    const texts = {
      'Kept plain': 'text\n',
      'Kept beside': '---\n# why\nalias: Other\n---\ntext\n',
      'Kept odd': '---\n: [\n---\ntext\n',
    };
    for (const [title, content] of Object.entries(texts)) {
      const { id } = await sluice.call('create_page', { title, content });
      await sluice.call('rename_page', { page: id, title: `New ${title}`, keep_alias: true });
    }
    const [files, bare] = [await exported(), await exported({ aliases: false })];
    expect(files.get('New Kept plain.md')).toBe('---\naliases:\n  - Kept plain\n---\ntext\n');
    expect(files.get('New Kept beside.md')).toMatch(
      /^---\n# why\nalias:\s+- Other\s+- Kept beside\n---\ntext\n$/,
    );
    expect(files.get('New Kept odd.md')).toBe(texts['Kept odd']);
    for (const [title, content] of Object.entries(texts)) expect(bare.get(`New ${title}.md`)).toBe(content);
  });
});

describe('an import', () => {
  it('[IMP-06] makes one page of a folder and the note beside it, whichever comes first', async () => {
    const texts: Record<string, string> = {
      'Plan.md': '# Plan\n[[Step]]',
      'Plan/Step.md': '[[Plan]]',
      'Only/Deep/Leaf.md': 'x',
    };
    const shapes = await Promise.all(
      [Object.keys(texts), Object.keys(texts).reverse()].map(async (order) => {
        const sluice = await fresh();
        for (const path of order)
          await sluice.call('import_pages', { files: [{ path, text: texts[path] ?? '' }] });
        const target = temporaryFolder();
        await writeOut(sluice, target);
        expect(filesIn(target)).toEqual(Object.keys(texts).sort());
        for (const path of order) expect(readFileSync(join(target, path), 'utf8')).toBe(texts[path]);
        expect(await linksOf(sluice, 'plan')).toEqual([['Step', 'plan/step']]);
        expect(await linksOf(sluice, 'plan/step')).toEqual([['Plan', 'plan']]);
        return pathsOf(await sluice.call('get_page_tree', { depth: 9 }));
      }),
    );
    expect(shapes[0]).toEqual(['only', 'only/deep', 'only/deep/leaf', 'plan', 'plan/step']);
    expect(shapes[1]).toEqual(shapes[0]);
  });

  it('[IMP-07] makes drafts of imported origin; only the owner may take them as canonical', async () => {
    const sluice = await fresh();
    await sluice.call('import_pages', { files: [{ path: 'Draft.md', text: 'x' }] });
    await sluice.call('import_pages', { files: [{ path: 'Canon.md', text: 'x' }], canonical: true });
    const facts = { origin: 'imported' };
    expect(await sluice.call('read_page', { page: 'draft' })).toMatchObject({ ...facts, lifecycle: 'draft' });
    expect(await sluice.call('read_page', { page: 'canon' })).toMatchObject({
      ...facts,
      lifecycle: 'canonical',
    });
    const editor = sluice.as({ name: 'ed', role: 'editor', origin: 'authored' });
    const files = [{ path: 'Other.md', text: 'x' }];
    await expect(editor.call('import_pages', { files, canonical: true })).rejects.toMatchObject({
      code: 'denied',
    });
    expect(await editor.call('import_pages', { files })).toMatchObject({ files: [{ outcome: 'created' }] });
    await expect(sluice.as({ name: 'bot' }).call('import_pages', { files })).rejects.toMatchObject({
      code: 'unknown_tool',
    });
  });

  it('[IMP-08] merges a changed file with what became of its page, and says where both changed', async () => {
    const sluice = await fresh();
    const folder = folderWith({ 'A.md': 'one\n\ntwo\n\nthree\n' });
    await bringIn(sluice, folder);
    const edit = async (from: string, to: string): Promise<void> => {
      const { content, version } = await sluice.call('read_page', { page: 'a' });
      const text = String(content).replace(from, to);
      await sluice.call('update_page_content', { page: 'a', content: text, base_version: version });
    };
    const text = async () => (await sluice.call('read_page', { page: 'a' })).content;
    await edit('one', 'ONE');
    write(folder, { 'A.md': 'one\n\ntwo\n\nTHREE\n' });
    expect((await bringIn(sluice, folder)).notes).toMatchObject({ updated: 1, conflict: 0 });
    expect(await text()).toBe('ONE\n\ntwo\n\nTHREE\n');
    expect((await bringIn(sluice, folder)).notes).toMatchObject({ unchanged: 1 });
    // The file takes its change back; the page's own stays.
    write(folder, { 'A.md': 'one\n\ntwo\n\nthree\n' });
    await bringIn(sluice, folder);
    expect(await text()).toBe('ONE\n\ntwo\n\nthree\n');
    write(folder, { 'A.md': 'uno\n\ntwo\n\nthree\n' });
    const report = await bringIn(sluice, folder);
    expect(report.notes).toMatchObject({ conflict: 1, updated: 0 });
    expect(report.odd).toContainEqual({ path: 'A.md', problem: expect.stringMatching(/same place/) });
    expect(await text()).toBe('ONE\n\ntwo\n\nthree\n');
  });

  it('[IMP-08] changes a canonical page only after a yes, or when it is told to take files as canonical', async () => {
    const sluice = await fresh();
    const folder = folderWith({ 'A.md': 'old\n' });
    await bringIn(sluice, folder, { canonical: true });
    write(folder, { 'A.md': 'fresh\n' });
    expect((await bringIn(sluice, folder)).notes).toMatchObject({ proposed: 1 });
    expect((await sluice.call('read_page', { page: 'a' })).content).toBe('old\n');
    expect((await bringIn(sluice, folder, { canonical: true })).notes).toMatchObject({ updated: 1 });
    expect((await sluice.call('read_page', { page: 'a' })).content).toBe('fresh\n');
  });

  it('[IMP-24] names what an import before it left to decide, until that is decided', async () => {
    const sluice = await fresh();
    const runs = ['first', 'second'].map((run) =>
      sluice.as({ name: 'owner', role: 'owner', kind: 'author', origin: 'authored', run }),
    );
    const [first, second] = runs as [(typeof runs)[0], (typeof runs)[0]];
    const files = { 'A.md': 'a', 'B.md': 'b', 'C.md': 'c' };
    await bringIn({ ...sluice, call: first.call }, folderWith({ 'A.md': 'a', 'B.md': 'b' }));
    const whole = folderWith(files);
    const { waiting, run } = await bringIn({ ...sluice, call: second.call }, whole);
    expect(waiting).toEqual([{ run: expect.stringMatching(/first$/), notes: 2 }]);
    expect(run).toMatch(/second$/);
    await sluice.call('accept_proposal', { run: waiting[0]?.run });
    expect((await bringIn({ ...sluice, call: second.call }, whole)).waiting).toEqual([]);
  });

  it('[IMP-09] that is only tried out changes nothing', async () => {
    const sluice = await fresh();
    const folder = folderWith({ 'A/B.md': '[[x]]', 'pic.png': Buffer.from([1, 2]) });
    const report = await bringIn(sluice, folder, { dryRun: true });
    expect(report).toMatchObject({ notes: { created: 1 }, attachments: { attached: 1 } });
    expect(await sluice.call('get_page_tree', {})).toEqual({ tree: [] });
    expect(await sluice.call('list_attachments', {})).toEqual({ files: [] });
  });

  it('[IMP-10] below a page comes out again from below it', async () => {
    const sluice = await fresh();
    await sluice.call('create_page', { title: 'Old notes' });
    const files = { 'A.md': '[[B]]', 'Sub/B.md': '[[A]] ![[p.png]]', 'p.png': Buffer.from([7]) };
    await bringIn(sluice, folderWith(files), { into: 'old-notes' });
    expect(await linksOf(sluice, 'old-notes/sub/b')).toEqual([
      ['A', 'old-notes/a'],
      ['p.png', 'file'],
    ]);
    const [part, whole] = [temporaryFolder(), temporaryFolder()];
    await writeOut(sluice, part, { under: 'old-notes' });
    expect(filesIn(part)).toEqual(['A.md', 'Sub/B.md', 'p.png']);
    await writeOut(sluice, whole);
    expect(filesIn(whole)).toEqual(['Old notes/A.md', 'Old notes/Sub/B.md', 'Old notes/p.png']);
  });

  it('[IMP-11] resolves links to files, whichever comes first, and to pages before files', async () => {
    const sluice = await fresh();
    await bringIn(sluice, folderWith({ 'N.md': '![[Figure 1.png|100]] [d](sub/a%20b.pdf) [[gone.png]]' }));
    expect(await linksOf(sluice, 'n')).toEqual([
      ['Figure 1.png', 'unresolved'],
      ['sub/a b.pdf', 'unresolved'],
      ['gone.png', 'unresolved'],
    ]);
    await bringIn(
      sluice,
      folderWith({ 'deep/figure 1.PNG': 'a', 'sub/a b.pdf': 'b', 'other/gone.png.md': 'x' }),
    );
    await bringIn(sluice, folderWith({ 'M.md': '[[a b.pdf]] [[other/a b.pdf]]' }));
    expect(await linksOf(sluice, 'n')).toEqual([
      ['Figure 1.png', 'file'],
      ['sub/a b.pdf', 'file'],
      ['gone.png', 'other/gone.png'],
    ]);
    expect(await linksOf(sluice, 'm')).toEqual([
      ['a b.pdf', 'file'],
      ['other/a b.pdf', 'unresolved'],
    ]);
  });

  it('[IMP-12] reads Dendron: label first, dots as hierarchy, and rewrites its links so', async () => {
    const sluice = await fresh();
    const folder = folderWith({
      'proj.md': 'x',
      'proj.alpha.md': '[[The root|proj]] [[other.deep#part]] [[x|dendron://v/y]]',
      'other.deep.md': '| [[A\\|proj.alpha]] |\n|---|\n',
    });
    await bringIn(sluice, folder, { dialect: 'dendron' });
    expect(await linksOf(sluice, 'proj/alpha')).toEqual([
      ['proj', 'proj'],
      ['other/deep', 'other/deep'],
      ['dendron://v/y', 'external'],
    ]);
    expect(await linksOf(sluice, 'other/deep')).toEqual([['proj/alpha', 'proj/alpha']]);
    const target = temporaryFolder();
    await writeOut(sluice, target);
    expect(filesIn(target)).toEqual(['other.deep.md', 'proj.alpha.md', 'proj.md']);
    await sluice.call('rename_page', { page: 'proj/alpha', title: 'beta' });
    expect((await sluice.call('read_page', { page: 'other/deep' })).content).toMatch(
      /\[\[A\\\|(proj\.)?beta\]\]/,
    );
    await writeOut(sluice, target);
    expect(filesIn(target)).toEqual(['other.deep.md', 'proj.beta.md', 'proj.md']);
  });

  it('[IMP-12] reads Logseq: bars as hierarchy, property lines; and plain Markdown without wiki links', async () => {
    const sluice = await fresh();
    const logseq = folderWith({
      'pages/a___b%3F.md': 'alias:: Bee, [[Bea]]\ntags:: one, two\ntype:: thing\n\n- text',
      'pages/c.md': '- [[a/b?]] [[Bee]] ((65f0))',
    });
    await bringIn(sluice, logseq, { dialect: 'logseq' });
    expect(await linksOf(sluice, 'pages/c')).toEqual([
      ['a/b?', 'pages/a/b'],
      ['Bee', 'pages/a/b'],
    ]);
    expect(await sluice.call('read_page', { page: 'pages/a/b' })).toMatchObject({
      title: 'b?',
      aliases: ['Bea', 'Bee'],
      tags: ['one', 'two'],
      properties: { type: 'thing' },
    });
    await bringIn(sluice, folderWith({ 'P.md': '[[c]] and [c](pages/c.md)' }), { dialect: 'plain' });
    expect(await linksOf(sluice, 'p')).toEqual([['pages/c.md', 'pages/c']]);
  });

  it('[IMP-13] says what it left out or kept as a file, and names that clash', async () => {
    const sluice = await fresh();
    const folder = folderWith({
      '.md': 'nameless',
      'Case.md': 'a',
      'case.md': 'b',
      'Caf\u00e9.md': 'a',
      'Cafe\u0301.md': 'b',
      'bad.md': '---\na: [\n---\n',
      '.git/config': 'x',
      '.obsidian/app.json': '{}',
    });
    mkdirSync(join(folder, 'hollow'));
    symlinkSync('/etc', join(folder, 'out'));
    const { odd, notes } = await bringIn(sluice, folder);
    const problems = odd.map(({ path, problem }) => `${path}: ${problem}`).join('\n');
    expect(problems).toMatch(/^\.md: .*kept as a file$/m);
    expect(problems).toMatch(/^case\.md: differs from "Case\.md" only in case$/m);
    expect(problems).toMatch(/only in its Unicode form$/m);
    expect(problems).toMatch(/^bad\.md: the frontmatter is not YAML/m);
    expect(problems).toMatch(/^hollow\/: an empty folder/m);
    expect(problems).toMatch(/^out: a symbolic link/m);
    expect(notes).toMatchObject({ created: 5, refused: 1 });
    const target = temporaryFolder();
    await writeOut(sluice, target);
    expect(filesIn(target)).toEqual(
      ['.md', 'Case.md', 'case.md', 'Caf\u00e9.md', 'Cafe\u0301.md', 'bad.md'].sort(),
    );
  });
});

describe('[IMP-18] a note', () => {
  it('that is no text goes in and out as a file, and becomes a page once it is text, and back', async () => {
    const sluice = await fresh();
    const folder = folderWith({ 'N.md': Buffer.from([0xff, 0xfe]), 'L.md': '[[N]]' });
    await bringIn(sluice, folder);
    expect(await linksOf(sluice, 'l')).toEqual([['N', 'file']]);
    write(folder, { 'N.md': 'text' });
    await bringIn(sluice, folder);
    expect(await linksOf(sluice, 'l')).toEqual([['N', 'n']]);
    expect(await sluice.call('list_attachments', {})).toEqual({ files: [] });
    write(folder, { 'N.md': Buffer.from([0xff, 0xfe]) });
    await bringIn(sluice, folder);
    const target = temporaryFolder();
    await writeOut(sluice, target);
    expect(filesIn(target)).toEqual(['L.md', 'N 2.md', 'N.md']);
    expect(readFileSync(join(target, 'N.md'))).toEqual(Buffer.from([0xff, 0xfe]));
  });

  it('larger than a page is a file of several parts, and one larger than a file may be is left out', async () => {
    const sluice = await fresh();
    const folder = folderWith({ 'Big.md': Buffer.alloc(9 * 1024 * 1024, 'long text ') });
    writeFileSync(join(folder, 'Huge.md'), '');
    truncateSync(join(folder, 'Huge.md'), 20 * 1024 ** 3);
    const { odd } = await bringIn(sluice, folder);
    expect(odd.map(({ path }) => path)).toEqual(['Big.md', 'Huge.md', 'Huge.md']);
    expect(await sluice.call('read_attachment', { path: 'Big.md', part: 2 })).toMatchObject({ parts: 3 });
    const target = temporaryFolder();
    await writeOut(sluice, target);
    expect(filesIn(target)).toEqual(['Big.md']);
    expect(readFileSync(join(target, 'Big.md')).equals(readFileSync(join(folder, 'Big.md')))).toBe(true);
  });
});

describe('[IMP-14] what a text says about its page', () => {
  const text = '---\ntags: [one]\naliases: [The First]\nstatus: open\n---\n#two\n';

  it('follows every write, and what a new page was given is in its text', async () => {
    const sluice = await fresh();
    const page = async (name = 'a') => sluice.call('read_page', { page: name });
    const made = { title: 'A', content: text, tags: ['Two', 'hand'], properties: { status: 'mine', n: 1 } };
    const { version } = await sluice.call('create_page', made);
    await sluice.call('create_page', { title: 'From', content: '[[the first]] [[The Second]]' });
    expect(await page()).toMatchObject({
      tags: ['one', 'hand', 'two'],
      aliases: ['The First'],
      properties: { status: 'mine', n: 1 },
    });
    expect(await linksOf(sluice, 'from')).toEqual([
      ['the first', 'a'],
      ['The Second', 'unresolved'],
    ]);
    const content = '---\naliases: The Second\ndue: 2026-01-01\n---\n';
    await sluice.call('update_page_content', { page: 'a', content, base_version: version });
    expect(await page()).toMatchObject({
      tags: [],
      aliases: ['The Second'],
      properties: { due: '2026-01-01' },
    });
    expect(await linksOf(sluice, 'from')).toEqual([
      ['the first', 'unresolved'],
      ['The Second', 'a'],
    ]);
  });

  it('can be searched for, and an alias by hand outlives the same one in the text', async () => {
    const sluice = await fresh();
    await sluice.call('import_pages', { files: [{ path: 'A.md', text }] });
    const found = async (query: string) =>
      ((await sluice.call('search', { query })).results as unknown[]).length;
    expect([await found('tag:one'), await found('tag:two'), await found('prop:status=open')]).toEqual([
      1, 1, 1,
    ]);
    await sluice.call('rename_page', { page: 'a', title: 'The First', keep_alias: true });
    await sluice.call('rename_page', { page: 'the-first', title: 'B', keep_alias: true });
    const { version, aliases } = await sluice.call('read_page', { page: 'b' });
    expect(aliases).toEqual(['A', 'The First']);
    await sluice.call('update_page_content', { page: 'b', content: 'bare', base_version: version });
    expect(await sluice.call('read_page', { page: 'b' })).toMatchObject({
      aliases: ['A', 'The First'],
      tags: [],
    });
  });
});

describe('an export', () => {
  it('[IMP-15] names pages that came from no file after their titles, none like another', async () => {
    const sluice = await fresh();
    await bringIn(sluice, folderWith({ 'Note.md': 'file' }));
    for (const title of ['note', 'What? A/B: "x"', 'CON', '.hidden']) {
      await sluice.call('create_page', { title, content: title });
    }
    await sluice.call('create_page', { title: 'Child', content: 'c', parent: 'note-2' });
    await sluice.call('create_page', { title: 'Bare' });
    await sluice.call('create_page', { title: 'In', content: 'i', parent: 'bare' });
    const target = temporaryFolder();
    await writeOut(sluice, target);
    expect(filesIn(target)).toEqual(
      [
        'Bare/In.md',
        'CON-.md',
        'Note.md',
        'What- A-B- -x-.md',
        'hidden.md',
        'note 2.md',
        'note 2/Child.md',
      ].sort(),
    );
    const again = await fresh();
    await bringIn(again, target);
    const back = temporaryFolder();
    await writeOut(again, back);
    expect(filesIn(back)).toEqual(filesIn(target));
  });

  it('[IMP-16] follows renames, moves, trash and restore, and removes only what it wrote', async () => {
    const sluice = await fresh();
    const target = temporaryFolder();
    await bringIn(sluice, folderWith({ 'A.md': 'a', 'A/B.md': 'b', 'C.md': 'c' }));
    await writeOut(sluice, target);
    write(target, { 'mine.txt': 'mine' });
    await sluice.call('rename_page', { page: 'a', title: 'Z' });
    const { batch } = await sluice.call('delete_page', { page: 'c' });
    expect(await writeOut(sluice, target)).toMatchObject({ written: 2, removed: 3, foreign: 0 });
    expect(filesIn(target)).toEqual(['Z.md', 'Z/B.md', 'mine.txt']);
    await sluice.call('import_pages', { files: [{ path: 'C.md', text: 'again' }] });
    await sluice.call('restore_page', { batch });
    await sluice.call('move_page', { page: 'z/b', parent: null });
    await writeOut(sluice, target);
    expect(filesIn(target)).toEqual(['B.md', 'C 2.md', 'C.md', 'Z.md', 'mine.txt']);
    expect(readFileSync(join(target, 'C.md'), 'utf8')).toBe('again');
  });

  it('[IMP-17] never writes over what it did not write, unless it is forced', async () => {
    const sluice = await fresh();
    await bringIn(sluice, folderWith({ 'A.md': 'a', 'S/B.md': 'b' }));
    await expect(writeOut(sluice, folderWith({ 'other.txt': 'x' }))).rejects.toMatchObject({
      code: 'conflict',
    });
    const target = temporaryFolder();
    await writeOut(sluice, target);
    write(target, { 'A.md': 'changed by somebody' });
    const { version } = await sluice.call('read_page', { page: 'a' });
    await sluice.call('update_page_content', { page: 'a', content: 'a2', base_version: version });
    expect(await writeOut(sluice, target)).toMatchObject({ foreign: 1, written: 0, odd: [{ path: 'A.md' }] });
    expect(readFileSync(join(target, 'A.md'), 'utf8')).toBe('changed by somebody');
    expect(await writeOut(sluice, target, { force: true })).toMatchObject({ foreign: 0, written: 1 });
    expect(readFileSync(join(target, 'A.md'), 'utf8')).toBe('a2');
  });
});

function pathsOf(answer: Record<string, unknown>): string[] {
  const paths: string[] = [];
  const visit = (nodes: readonly { path: string; children: never[] }[]): void => {
    for (const node of nodes) {
      paths.push(node.path);
      visit(node.children);
    }
  };
  visit(answer.tree as never[]);
  return paths.sort();
}

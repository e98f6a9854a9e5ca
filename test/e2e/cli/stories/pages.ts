/** Workspaces, pages and search. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import type { Stories } from '../../../support/cli-story.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

export const pageStories: Stories = {
  'workspace create': async ({ json, text, fails, name }) => {
    expect(await json('workspace', 'create', name)).toMatchObject({ workspace: { name, open: false } });
    expect(await fails(5, 'workspace', 'create', name)).toMatchObject({ code: 'conflict' });
    expect(await text('workspace', 'create', `${name}-2`)).toContain(`"${name}-2" is made`);
  },
  'workspace list': async ({ json, text }) => {
    const { workspaces } = await json<{ workspaces: { name: string; current: boolean }[] }>(
      'workspace',
      'list',
    );
    expect(workspaces).toContainEqual(expect.objectContaining({ name: 'default', current: true }));
    expect(await text('workspace', 'list')).toMatch(/^NAME +STATE +ID\n(.*\n)*default +current +\S+\n/);
  },
  'workspace open': async ({ json, text, fails, name }) => {
    await json('workspace', 'create', name);
    await json('workspace', 'open', name);
    expect(await json('status')).toMatchObject({ workspace: name });
    expect(await text('workspace', 'open', 'default')).toBe('"default" is open\n');
    await json('workspace', 'close', name);
    expect(await fails(3, 'workspace', 'open', 'nowhere')).toMatchObject({ code: 'not_found' });
  },
  'workspace close': async ({ json, text, fails, name }) => {
    await json('workspace', 'create', name, '--open');
    expect(await text('workspace', 'close', name)).toBe(`"${name}" is closed\n`);
    expect(await json('status')).toMatchObject({ workspace: 'default' });
    await json('workspace', 'close', 'default');
    expect(await fails(6, 'page', 'tree')).toMatchObject({ code: 'no_workspace' });
    await json('workspace', 'open', 'default');
  },
  'page create': async ({ json, text, fails, run, name }) => {
    expect(await json('page', 'create', name, '--content', '# Hi', '--tags', 'a,b')).toMatchObject({
      path: name,
      id: expect.any(String),
    });
    const file = join(temporaryFolder(), 'text.md');
    writeFileSync(file, 'From a file.\n');
    expect(await text('page', 'create', 'Below', '--parent', name, '--file', file)).toMatch(
      new RegExp(`^${name}/below  \\S+\n$`),
    );
    // More than a pipe holds, so that it comes in pieces.
    const long = `${'Many words. '.repeat(20_000)}\n`;
    expect(await run(['page', 'create', 'Long', '--parent', name, '--file', '-'], long)).toMatchObject({
      code: 0,
    });
    expect((await run(['page', 'read', `${name}/long`])).stdout).toBe(long);
    expect(await fails(2, 'page', 'create', 'X', '--file', `${file}.gone`)).toMatchObject({
      field: 'file',
    });
    expect(await fails(3, 'page', 'create', 'X', '--parent', 'nowhere')).toMatchObject({ code: 'not_found' });
  },
  'page read': async ({ json, run, fails, name }) => {
    const content = '# One\n\nText without an end of line';
    await json('page', 'create', name, '--content', content);
    expect(await run(['page', 'read', name])).toMatchObject({ code: 0, stdout: content });
    expect(await json('page', 'read', name)).toMatchObject({ content, version: expect.any(String) });
    expect((await run(['page', 'read', name, '--section', 'One'])).stdout).toBe(content);
    expect(await fails(3, 'page', 'read', 'nowhere')).toMatchObject({ code: 'not_found' });
  },
  'page update': async ({ json, text, fails, run, name }) => {
    const { version } = await json<{ version: string }>('page', 'create', name, '--content', 'Old.');
    const args = ['page', 'update', name, '--content', 'New.', '--base-version', version];
    expect(await text(...args)).toMatch(new RegExp(`^${name}  \\S+\n$`));
    expect((await run(['page', 'read', name])).stdout).toBe('New.');
    expect((await run(['page', 'read', name, '--version', version])).stdout).toBe('Old.');
    expect((await run(['page', 'tree', '--version'])).code).toBe(2);
    expect(
      await fails(5, 'page', 'update', name, '--content', 'Other.', '--base-version', version),
    ).toMatchObject({ code: 'conflict' });
    expect(await fails(2, 'page', 'update', name)).toMatchObject({ field: '--content' });
  },
  'page rename': async ({ json, text, run, name }) => {
    await json('page', 'create', name);
    await json('page', 'create', `${name} reader`, '--content', `See [[${name}]].`);
    expect(await text('page', 'rename', name, 'Fresh', '--dry-run')).toContain(
      '1 links on 1 pages would change',
    );
    expect(await json('page', 'rename', name, `${name} new`)).toMatchObject({ updated_links: 1 });
    expect((await run(['page', 'read', `${name}-reader`])).stdout).toBe(`See [[${name} new]].`);
  },
  'page move': async ({ json, text, fails, name }) => {
    for (const title of ['parent', 'child']) await json('page', 'create', `${name} ${title}`);
    expect(await text('page', 'move', `${name}-child`, '--parent', `${name}-parent`)).toContain(
      `${name}-parent/${name}-child: 0 links on 0 pages changed, change `,
    );
    expect(await json('page', 'move', `${name}-child`, '--position', '0')).toMatchObject({
      path: `${name}-child`,
    });
    expect(await fails(2, 'page', 'move', `${name}-child`, '--position', 'first')).toMatchObject({
      field: '--position',
    });
  },
  'page undo': async ({ json, text, fails, run, name }) => {
    await json('page', 'create', name);
    await json('page', 'create', `${name} reader`, '--content', `See [[${name}]].`);
    const { change } = await json<{ change: number }>('page', 'rename', name, `${name} new`);
    expect(await text('page', 'undo', String(change), '--dry-run')).toContain(
      '1 links on 1 pages would change',
    );
    expect(await json('page', 'undo', String(change))).toMatchObject({ updated_links: 1, path: name });
    expect((await run(['page', 'read', `${name}-reader`])).stdout).toBe(`See [[${name}]].`);
    expect(await fails(5, 'page', 'undo', String(change))).toMatchObject({ code: 'conflict' });
    expect(await fails(3, 'page', 'undo', '999999')).toMatchObject({ code: 'not_found' });
  },
  'page restore-version': async ({ json, text, fails, run, name }) => {
    const { version: old } = await json<{ version: string }>('page', 'create', name, '--content', 'Old.\n');
    const { version } = await json<{ version: string }>(
      'page',
      'update',
      name,
      '--content',
      'New.\n',
      '--base-version',
      old,
    );
    expect(await fails(5, 'page', 'restore-version', name, old, '--if-match', old)).toMatchObject({
      reason: 'stale',
    });
    expect(await text('page', 'restore-version', name, old)).toMatch(
      new RegExp(`^${name}  v\\S+: \\+1 -1 lines\n$`),
    );
    expect((await run(['page', 'read', name])).stdout).toBe('Old.\n');
    expect(await json('page', 'restore-version', name, version)).toMatchObject({ changed: true });
    expect(await text('page', 'restore-version', name, version)).toBe('Nothing changed\n');
    expect(await fails(3, 'page', 'restore-version', name, 'v1.x.y')).toMatchObject({ field: 'version' });
  },
  'page diff': async ({ json, text, fails, name }) => {
    const { version } = await json<{ version: string }>('page', 'create', name, '--content', 'Old line.\n');
    await json('page', 'update', name, '--content', 'New line.\n', '--base-version', version);
    expect(await text('page', 'diff', name)).toContain('-Old line.\n+New line.\n');
    expect(await text('page', 'diff', name, '--from', version, '--blocks')).toBe(
      'changed:\n-Old line.\n+New line.\n',
    );
    expect(await json('page', 'diff', name)).toMatchObject({ from: version, lines_added: 1 });
    expect(await fails(3, 'page', 'diff', name, '--from', 'v1.x.y')).toMatchObject({ field: 'from' });
  },
  'page provenance': async ({ json, text, fails, name }) => {
    await json('page', 'create', name, '--content', 'Mine.\n');
    expect(await text('page', 'provenance', name)).toMatch(
      /origin +authored\n[\s\S]*ORIGIN +BY[\s\S]*authored +owner .*Mine\./,
    );
    // Two runs of one hand.
    const folder = temporaryFolder();
    writeFileSync(join(folder, `${name} imported.md`), 'Many words of one hand.\n');
    await json('import', folder, '--canonical');
    await json('page', 'edit', `${name}-imported`, '--find', 'words', '--content', 'good words');
    expect(await text('page', 'provenance', `${name}-imported`)).toMatch(
      /^\w+ +owner +\S+ +Many good words/m,
    );
    expect(await json('page', 'provenance', name)).toMatchObject({
      actor: 'owner',
      blocks: [{ origin: 'authored' }],
    });
    const document = JSON.parse(await text('page', 'provenance', name, '--prov-json'));
    expect(Object.keys(document)).toContain('wasGeneratedBy');
    expect(await fails(3, 'page', 'provenance', 'nowhere')).toMatchObject({ code: 'not_found' });
  },
  timeline: async ({ json, text, fails, name }) => {
    await json('page', 'create', name);
    await json('page', 'rename', name, `${name} new`);
    const { events } = await json<{ events: { kind: string; page: string }[] }>('timeline', '--limit', '2');
    expect(events.map(({ kind }) => kind)).toEqual(['page_renamed', 'page_created']);
    expect(await text('timeline', '--page', `${name}-new`, '--kind', 'page_renamed')).toMatch(
      new RegExp(`^CHANGE .*\n.* page_renamed +${name} new +owner .*\n$`),
    );
    expect(await fails(2, 'timeline', '--kind', 'nothing')).toMatchObject({ code: 'invalid_input' });
  },
  undo: async ({ json, text, fails, name }) => {
    const { workspaces } = await json<{ workspaces: { name: string }[] }>('workspace', 'list');
    expect(workspaces.length).toBeGreaterThan(0);
    await json('workspace', 'create', name, '--open');
    await json('page', 'create', name, '--content', 'x');
    const { events } = await json<{ events: { run: string }[] }>('timeline', '--kind', 'page_created');
    const run = events[0]?.run ?? '';
    expect(await text('undo', '--run', run, '--dry-run')).toContain(
      `would be undone  ${name}\n    goes to the trash\n1 things on 1 pages would be`,
    );
    const done = await json<{ undo_run: string }>('undo', '--run', run);
    expect(done).toMatchObject({ undone: 1, kept: 0 });
    expect(await fails(3, 'page', 'read', name)).toMatchObject({ code: 'not_found' });
    expect(await text('undo', '--run', done.undo_run)).toContain('1 things on 1 pages taken back, 0 kept');
    const file = join(temporaryFolder(), `${name} imported.md`);
    const bringIn = async (content: string): Promise<string> => {
      writeFileSync(file, content);
      return (await json<{ run: string }>('import', dirname(file), '--canonical')).run;
    };
    await bringIn('x');
    expect(await text('undo', '--run', await bringIn('y'))).toContain(
      `undone  ${name} imported\n    gets its text back: +1 -1 lines\n`,
    );
    expect(await fails(3, 'undo', '--run', 'nobody/never')).toMatchObject({ field: 'run' });
    expect(await fails(2, 'undo')).toMatchObject({ field: '--run' });
    await json('workspace', 'close', name);
  },
  import: async ({ json, text, fails, run, name }) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, `${name}.md`), `One [[${name} two]].\r\n`);
    writeFileSync(join(folder, `${name} two.md`), 'Two');
    expect(await text('import', folder, '--dry-run')).toContain('2');
    expect((await run(['page', 'read', name])).code).toBe(3);
    const { run: own } = await json<{ run: string }>('import', folder);
    expect(await json('page', 'read', name)).toMatchObject({ lifecycle: 'draft' });
    expect(await text('review', 'list', '--run', own, '--origin', 'imported')).toContain('Imported page');
    expect(await json('review', 'accept', '--run', own)).toMatchObject({ accepted: 2, refused: 0 });
    expect(await json('page', 'read', name)).toMatchObject({ lifecycle: 'canonical', origin: 'imported' });
    writeFileSync(join(folder, `${name} two.md`), 'Two!');
    const again = await text('import', folder);
    expect(again).toMatch(/^Notes: 1 unchanged, 1 proposed\n/);
    expect(again).toContain('sluice review accept --run owner/import:');
    writeFileSync(join(folder, `${name} two.md`), 'Two');
    expect((await run(['page', 'read', name])).stdout).toBe(`One [[${name} two]].\r\n`);
    expect(await fails(2, 'import', join(folder, 'nowhere'))).toMatchObject({ field: 'folder' });
  },
  export: async ({ json, text, run, name }) => {
    const folder = temporaryFolder();
    await json('page', 'create', name, '--content', 'No end of line');
    const target = join(folder, 'out');
    expect((await run(['export', target])).code).toBe(0);
    expect(readFileSync(join(target, `${name}.md`), 'utf8')).toBe('No end of line');
    expect(await text('export', target)).toContain('unchanged');
    writeFileSync(join(folder, 'mine.md'), 'mine');
    expect((await run(['export', folder])).code).not.toBe(0);
  },
  sync: async ({ json, text, fails, run, name }) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, `${name}.md`), 'From the folder');
    expect(await text('sync', folder, '--dry-run')).toContain(`${name}.md: the file becomes a page`);
    expect(await json('sync', folder, '--once')).toMatchObject({ taken: { created: 1 }, settled: true });
    expect((await run(['page', 'read', name])).stdout).toBe('From the folder');
    expect(await text('sync', folder, '--once')).toMatch(/^Into the workspace: nothing$/m);
    expect(await fails(2, 'sync', join(folder, 'nowhere'), '--once')).toMatchObject({ field: 'folder' });
    expect(await fails(2, 'sync', folder, '--dialect', 'x')).toMatchObject({ field: 'dialect' });
    expect((await run(['sync', join(folder, 'nowhere')])).stderr).not.toContain('Keeping');
    const [own, other] = [`${name}-emptied`, temporaryFolder()];
    await json('workspace', 'create', own, '--open');
    const files = ['a.md', 'b.md', 'c.md'].map((file) => join(other, file));
    for (const file of files) writeFileSync(file, 'Text');
    await json('sync', other, '--once', '--workspace', own);
    for (const file of files) rmSync(file);
    expect(await fails(5, 'sync', other, '--once', '--workspace', own)).toMatchObject({
      reason: 'folder_emptied',
      files: 3,
    });
    expect(await json('sync', other, '--once', '--workspace', own, '--allow-empty')).toMatchObject({
      taken: { removed: 3 },
    });
    await json('workspace', 'close', own);
  },
  'page delete': async ({ json, text, fails, name }) => {
    await json('page', 'create', name);
    expect(await text('page', 'delete', name)).toMatch(
      /^1 pages are in the trash; "sluice page restore \S+"/,
    );
    expect(await fails(3, 'page', 'delete', name)).toMatchObject({ code: 'not_found' });
  },
  'page restore': async ({ json, text, fails, name }) => {
    await json('page', 'create', name);
    const { batch } = await json<{ batch: string }>('page', 'delete', name);
    expect(await text('page', 'restore', batch)).toBe(`${name}\n`);
    expect(await fails(5, 'page', 'restore', batch)).toMatchObject({ code: 'conflict' });
  },
  'page trash': async ({ json, text, name }) => {
    await json('page', 'create', name);
    const { batch } = await json<{ batch: string }>('page', 'delete', name);
    const { batches } = await json<{ batches: { batch: string }[] }>('page', 'trash');
    expect(batches).toContainEqual(expect.objectContaining({ batch }));
    expect(await text('page', 'trash')).toMatch(
      new RegExp(`^WHEN +BY +PAGES.*\n(.*\n)*.*owner +1 +${name} `),
    );
  },
  'page history': async ({ json, text, name }) => {
    await json('page', 'create', name);
    await json('page', 'update', name, '--content', 'More.');
    const { events } = await json<{ events: { kind: string }[] }>('page', 'history', name);
    expect(events).toHaveLength(2);
    expect(await text('page', 'history', name)).toMatch(
      /^CHANGE +WHEN +WHAT +BY.*\n.*update_page_content.*\n.*create_page/,
    );
  },
  'page links': async ({ json, text, name }) => {
    await json('page', 'create', name, '--content', `[[${name} other]]`);
    await json('page', 'create', `${name} other`, '--content', `Back to [[${name}]].`);
    expect(await json('page', 'links', name)).toMatchObject({ in: [{}], out: [{ status: 'resolved' }] });
    expect(await text('page', 'links', name)).toBe(
      `<- ${name}-other  Back to [[${name}]].\n-> ${name}-other  (resolved)\n`,
    );
  },
  'page tree': async ({ json, text, fails, name }) => {
    await json('page', 'create', name);
    await json('page', 'create', 'Leaf', '--parent', name);
    expect(await json('page', 'tree', name)).toMatchObject({ tree: expect.any(Array) });
    expect(await text('page', 'tree')).toContain(`${name}  ${name}\n  Leaf  ${name}/leaf\n`);
    expect(await fails(2, 'page', 'tree', '--depth', 'deep')).toMatchObject({ field: '--depth' });
  },
  'search status': async ({ json, text }) => {
    expect(await json('search', 'status')).toMatchObject({ pages: expect.any(Number) });
    expect(await text('search', 'status')).toMatch(/\S/);
  },
  'search reindex': async ({ json, text }) => {
    const { path } = await json('page', 'create', 'Polar', '--content', 'A seal lies on the ice and sleeps.');
    const { indexed, pages } = await json<{ indexed: number; pages: number }>('search', 'reindex');
    expect(indexed).toBe(pages);
    expect(await text('search', 'reindex', '--anew')).toContain('indexed by words');
    expect(JSON.stringify(await json('search', '--mode', 'semantic', 'a sleeping seal'))).toContain(path);
  },
  search: async ({ json, text, fails, name }) => {
    await json('page', 'create', name, '--content', `The word is zebra${name}.`);
    expect(await json('search', `zebra${name}`, '--mode', 'text')).toMatchObject({
      results: [{ path: name }],
    });
    expect(await text('search', `zebra${name}`)).toMatch(new RegExp(`^${name}  ${name}\n    .*zebra`));
    expect(await text('search', '--mode', 'text', 'xyzzyplugh', 'quuxly')).toBe('Nothing found\n');
    expect(await fails(2, 'search', 'x', '--limit', '1.5')).toMatchObject({ field: '--limit' });
  },
};

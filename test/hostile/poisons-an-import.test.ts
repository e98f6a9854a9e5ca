/** A folder made by somebody else, to get out of it, to clog the import, or to have an export write elsewhere. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createSluice, type Sluice } from '../../src/app/create-sluice.ts';
import { exportFolder } from '../../src/app/export-folder.ts';
import { importFolder } from '../../src/app/import-folder.ts';
import { expectConsistent } from '../support/check-consistency.ts';
import { onEachStore } from '../support/each-store.ts';
import { times } from '../support/random.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

vi.setConfig({ testTimeout: 240_000 });

onEachStore('a poisoned folder', (under) => {
  const home = temporaryFolder();
  let sluice: Sluice;
  beforeAll(async () => {
    if (under.available()) sluice = await createSluice({ home, config: under.config() });
  });
  afterAll(() => sluice?.close());

  const bringIn = (folder: string) =>
    importFolder(sluice.call, { folder, dialect: 'obsidian', canonical: false, dryRun: false });

  describe('[IMP-20] paths', () => {
    const paths = [
      '../out.md',
      'a/../../out.md',
      '/etc/out.md',
      'a//b.md',
      './a.md',
      'a/./b.md',
      '',
      'nul\0.md',
      `${'d/'.repeat(70)}deep.md`,
      `${'x'.repeat(2_000)}.md`,
      'a\nb.md',
      'no-note.txt',
      '\ud800.md',
    ];

    it.each(paths)('such as %j make no page', async (path) => {
      const answer = await sluice
        .call('import_pages', { files: [{ path, text: 'poison' }] })
        .catch((error: unknown) => error);
      expect(answer).not.toMatchObject({ files: [{ outcome: 'created' }] });
      expect(await sluice.call('get_page_tree', {})).toEqual({ tree: [] });
    });

    it.each(paths.filter((path) => !/[\n]|no-note|deep/.test(path)))(
      'such as %j hold no attachment',
      async (path) => {
        const { blobs } = await sluice.call('upload_blobs', { blobs: ['eA=='] });
        const [{ digest } = { digest: '' }] = blobs as { digest: string }[];
        const files = [{ path, digest, size: 1, parts: [digest] }];
        await expect(sluice.call('import_attachments', { files })).rejects.toThrow();
        expect(await sluice.call('list_attachments', {})).toEqual({ files: [] });
      },
    );

    it('with links in them are not followed, also in circles', async () => {
      const [folder, secret] = [temporaryFolder(), temporaryFolder()];
      writeFileSync(join(secret, 'secret.md'), 'hunter2');
      mkdirSync(join(folder, 'loop'));
      symlinkSync(folder, join(folder, 'loop/again'));
      symlinkSync(secret, join(folder, 'away'));
      symlinkSync(join(secret, 'secret.md'), join(folder, 'note.md'));
      const { notes, odd } = await bringIn(folder);
      expect(notes.created).toBe(0);
      expect(odd.map(({ path }) => path).sort()).toEqual(['away', 'loop/again', 'note.md']);
      expect((await sluice.call('search', { query: 'hunter2' })).results).toEqual([]);
    });

    it('with links in them are not written through', async () => {
      const [folder, target, outside] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
      write(folder, { 'Dir/In.md': 'inside', 'File.md': 'file' });
      await bringIn(folder);
      await exportFolder(sluice.call, { folder: target, force: false });
      const trap = temporaryFolder();
      symlinkSync(outside, join(trap, 'Dir'));
      writeFileSync(join(outside, 'victim'), 'untouched');
      symlinkSync(join(outside, 'victim'), join(trap, 'File.md'));
      const report = await exportFolder(sluice.call, { folder: trap, force: true });
      expect(report.odd.map(({ path }) => path)).toContain('Dir/In.md');
      expect(readdirSync(outside)).toEqual(['victim']);
      expect(readFileSync(join(outside, 'victim'), 'utf8')).toBe('untouched');
      // A forged marker names nothing outside either.
      writeFileSync(
        join(target, '.sluice-export.json'),
        JSON.stringify({ version: 1, files: { '../../victim': 'x' } }),
      );
      await expect(exportFolder(sluice.call, { folder: target, force: true })).rejects.toMatchObject({
        code: 'invalid_input',
      });
      expect(existsSync(join(outside, 'victim'))).toBe(true);
    });
  });

  describe('[IMP-21] a flood', () => {
    it('of names that fold to the same one gets a page each', async () => {
      const count = times(1_000, 10_000);
      const files = Array.from({ length: count }, (_, i) => {
        const bits = i.toString(2).padStart(14, '0');
        const name = [...'abcdefghijklmn']
          .map((letter, at) => (bits[at] === '1' ? letter.toUpperCase() : letter))
          .join('');
        return { path: `same/${name}.md`, text: '' };
      });
      for (let i = 0; i < count; i += 500)
        await sluice.call('import_pages', { files: files.slice(i, i + 500) });
      const page = await sluice.call('read_page', { page: `same/abcdefghijklmn-${count}` });
      expect(page.title).toMatch(/^abcdefghijklmn$/i);
    });

    it('of YAML aliases, keys, tags and long names does not get into the store', async () => {
      const bomb = [
        'a: &a [x,x,x,x,x,x,x,x,x]',
        ...'bcdefgh'
          .split('')
          .map((name, i) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[i]}`).join(',')}]`),
      ].join('\n');
      const texts = {
        'bomb.md': `---\n${bomb}\n---\n`,
        'wide.md': `---\n${Array.from({ length: 3_000 }, (_, i) => `k${i}: ${i}`).join('\n')}\n---\n`,
        'deep.md': `---\na: ${'['.repeat(20_000)}\n---\n`,
        'long.md': `---\naliases: ["${'\ufdfa'.repeat(300)}", "a\\0b", "\\ud800"]\ntags: "${'t'.repeat(5_000)}"\n---\n#${'\ufdfa'.repeat(100)}`,
        'many.md': Array.from({ length: 20_000 }, (_, i) => `#tag${i}`).join(' '),
        'links.md': '[[x]]'.repeat(5_000),
      };
      const files = Object.entries(texts).map(([path, text]) => ({ path, text }));
      const answer = await sluice.call('import_pages', { files });
      expect((answer.files as { outcome: string }[]).map(({ outcome }) => outcome)).toEqual(
        files.map(() => 'created'),
      );
      const { properties } = await sluice.call('read_page', { page: 'wide' });
      expect(Object.keys(properties as object).length).toBeLessThanOrEqual(200);
      const { tags } = await sluice.call('read_page', { page: 'many', max_tokens: 50 });
      expect((tags as string[]).length).toBeLessThanOrEqual(200);
      expect(await sluice.call('read_page', { page: 'long' })).toMatchObject({ aliases: [], tags: [] });
    });

    it('of bytes in one file is not read', async () => {
      const folder = temporaryFolder();
      for (const name of ['huge.md', 'huge.bin']) {
        writeFileSync(join(folder, name), '');
        truncateSync(join(folder, name), 500 * 1024 ** 3);
      }
      const { odd, attachments } = await bringIn(folder);
      expect(attachments.attached).toBe(0);
      expect(odd.filter(({ problem }) => problem.includes('left out'))).toHaveLength(2);
    });
  });

  it('[IMP-21] leaves a sound home behind', () => expectConsistent(home, under.config()));
});

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

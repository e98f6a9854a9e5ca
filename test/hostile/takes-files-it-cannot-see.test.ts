/**
 * A caller goes for the files of pages that are hidden from it: by links to them, by files of its own at their paths,
 * and by waiting for others to touch what it wrote. Two homes differ in nothing but the hidden pages and files.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { exportFolder } from '../../src/app/export-folder.ts';
import type { Outcome } from '../../src/gateway/request.ts';
import { onEachStore } from '../support/each-store.ts';
import { mole, normaliser, useTwoWorlds, type World } from '../support/leaks/two-worlds.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type Answer, owner } from '../support/whole-app.ts';

const said = (outcome: Outcome): string =>
  JSON.stringify(outcome.ok ? outcome.answer : { ...outcome.error, message: outcome.error.message });

interface File {
  readonly digest: string;
  readonly size: number;
  readonly parts: readonly (string | undefined)[];
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

onEachStore('a thief of files', (under) => {
  const worlds = useTwoWorlds(under);

  const [ours, theirs] = [(): World => worlds()[0], (): World => worlds()[1]];
  const [here, there] = [normaliser(), normaliser()];

  /** The mole does it in both homes and must be told the same. */
  async function both(name: string, input: Answer = {}): Promise<Answer> {
    const target = { kind: 'tool', name, arguments: input } as const;
    const outcome = await ours().ask(mole, target);
    const [got, wanted] = [here(said(outcome)), there(said(await theirs().ask(mole, target)))];
    const at = [...got].findIndex((sign, i) => sign !== wanted[i]);
    const near = (text: string): string => text.slice(Math.max(0, at - 300), at + 300);
    expect([name, got === wanted, near(got)]).toEqual([name, true, near(wanted)]);
    return outcome.ok && outcome.answer.kind === 'tool' ? { ...outcome.answer.structured } : {};
  }

  /** What it can see of files after what it did. */
  async function lookAround(): Promise<void> {
    await both('list_attachments');
    await both('read_attachment', { path: 'pay.png' });
    await both('find_broken_links');
    await both('workspace_health');
    await both('get_timeline', { limit: 100 });
  }

  async function put(path: string, text: string, more: Answer = {}): Promise<Answer> {
    const { blobs } = await both('upload_blobs', { blobs: [base64(text)] });
    const [{ digest, size } = { digest: '', size: 0 }] = blobs as { digest: string; size: number }[];
    return both('import_attachments', { files: [{ path, digest, size, parts: [digest] }], ...more });
  }

  const described = (text: string): File => {
    const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`;
    return { digest, size: Buffer.byteLength(text), parts: [digest] };
  };

  async function uploaded(who: typeof mole, text: string): Promise<File> {
    await ours().call(who, 'upload_blobs', { blobs: [base64(text)] });
    return described(text);
  }

  const secret = async (): Promise<string> => {
    const { files } = await ours().call(owner, 'list_attachments');
    const pays = (files as { full_path: string; digest: string }[]).filter(
      ({ full_path: path }) => path === 'pay.png',
    );
    const texts = pays.map(async ({ digest }) => {
      const { bytes } = await ours().call(owner, 'read_attachment', { path: 'pay.png', digest });
      return Buffer.from(String(bytes), 'base64').toString();
    });
    return (await Promise.all(texts)).toSorted().join(' and ');
  };

  it('[PERM-23] sees no file by linking to it, nor when others touch the page that does', async () => {
    if (!under.available()) return;
    const { id } = await both('create_page', {
      title: 'Bait',
      content: 'See ![[pay.png]] and [[hat.png]].\n',
    });
    await both('get_outgoing_links', { page: 'bait' });
    await lookAround();
    for (const world of worlds()) {
      const { version } = await world.call(owner, 'read_page', { page: 'bait' });
      const content = 'Do see ![[pay.png]] and [[hat.png]].\n';
      await world.call(owner, 'update_page_content', { page: 'bait', content, if_match: version });
    }
    await lookAround();
    // A file of that name comes to a hidden page.
    const hat = { page: ours().ids.get('Ledger'), name: 'hat.png', bytes: base64('secret hat') };
    const { path } = await ours().call(owner, 'attach_file', hat);
    expect(id).toBeDefined();
    await lookAround();
    await both('read_attachment', { path });
    await both('get_outgoing_links', { page: 'bait' });
  });

  it('[PERM-24] puts files where hidden ones lie, and neither hears of these nor harms them', async () => {
    if (!under.available()) return;
    expect(await put('pay.png', 'mine', { dry_run: true })).toMatchObject({ attached: 1 });
    expect(await put('pay.png', 'mine')).toMatchObject({ attached: 1, protected: [] });
    expect(await put('pay.png', 'mine')).toMatchObject({ attached: 0, unchanged: 1 });
    await lookAround();
    // A canonical page shows it by now.
    expect(await put('pay.png', 'mine still')).toMatchObject({ attached: 0, protected: ['pay.png'] });
    await both('attach_file', { page: 'bait', name: 'pay.png', bytes: base64('beside') });
    await lookAround();
    expect(await secret()).toBe('mine and secret bytes');
    // Who sees both is asked; a folder gets the one that fewer see.
    await expect(ours().call(owner, 'read_attachment', { path: 'pay.png' })).rejects.toMatchObject({
      code: 'ambiguous',
    });
    const folder = temporaryFolder();
    const call = (name: string, input: Answer = {}): Promise<Answer> => ours().call(owner, name, input);
    await exportFolder(call, { folder, force: false });
    expect(await readFile(join(folder, 'pay.png'), 'utf8')).toBe('secret bytes');
    // Nor can the pages come together while the files differ.
    const grant = { page: ours().ids.get('Salaries'), subject_type: 'client', subject: 'mole' };
    await expect(call('revoke_permission', grant)).rejects.toMatchObject({ code: 'conflict' });
    await both('detach_file', { path: 'pay.png' });
    await both('remove_files', { files: [{ path: 'pay.png', digest: `sha256:${'0'.repeat(64)}` }] });
    await lookAround();
    expect(await secret()).toBe('secret bytes');
  });

  it('[PERM-24] takes back what it did with files, and nothing else', async () => {
    if (!under.available()) return;
    await put('pay.png', 'once more');
    await both('undo_run', { run: 'client:mole/test', dry_run: true });
    await both('undo_run', { run: 'client:mole/test' });
    await lookAround();
    expect(await secret()).toBe('secret bytes');
    // What is gone is not told of either: by its digest the bytes could be had.
    const away = { kind: 'tool', name: 'detach_file', arguments: { path: 'pay.png' } } as const;
    expect(await ours().ask(owner, away, 'away')).toMatchObject({ ok: true });
    await lookAround();
    await ours().call(owner, 'undo_run', { run: 'author:ann/away' });
    expect(await secret()).toBe('secret bytes');
  });

  it('[PERM-25] is shown a file again by those who move what shows it, and only then', async () => {
    if (!under.available()) return;
    const call = (name: string, input: Answer = {}): Promise<Answer> => ours().call(owner, name, input);
    const salaries = ours().ids.get('Salaries');
    const seen = async (path: string): Promise<boolean> =>
      (await ours().ask(mole, { kind: 'tool', name: 'read_attachment', arguments: { path } })).ok;
    const chart = { page: salaries, name: 'chart.png', bytes: base64('chart') };
    const { path } = await call('attach_file', chart);
    const shown = await call('create_page', { title: 'Chart', parent: salaries, content: '![[chart.png]]' });
    const both = await call('create_page', { title: 'Open', content: 'also ![[chart.png]]' });
    expect(await seen(String(path))).toBe(false);
    await call('move_page', { page: shown.id, parent: both.id });
    expect(await seen(String(path))).toBe(true);
    await call('move_page', { page: shown.id, parent: salaries });
    // The other page shows it by now, and did so while it was there.
    expect(await seen(String(path))).toBe(true);
    expect(await seen('pay.png')).toBe(false);
    await call('delete_page', { page: 'bait' });
    await call('revoke_permission', { page: salaries, subject_type: 'client', subject: 'mole' });
    expect(await seen('pay.png')).toBe(true);
    await call('grant_permission', {
      page: salaries,
      subject_type: 'client',
      subject: 'mole',
      level: 'hidden',
    });
    expect(await seen('pay.png')).toBe(false);
    expect(await seen(String(path))).toBe(true);
  });

  it('[PERM-25] sees no file of a page that was in the trash when it was hidden', async () => {
    if (!under.available()) return;
    const call = (name: string, input: Answer = {}): Promise<Answer> => ours().call(owner, name, input);
    const vault = await call('create_page', { title: 'Vault', content: 'closed' });
    const gone = await call('create_page', { title: 'Gone', parent: vault.id, content: '![[gone.png]]' });
    const { path } = await call('attach_file', { page: gone.id, name: 'gone.png', bytes: base64('gone') });
    await call('delete_page', { page: gone.id });
    const seen = async (): Promise<boolean> =>
      (await ours().ask(mole, { kind: 'tool', name: 'read_attachment', arguments: { path } })).ok;
    expect(await seen()).toBe(true);
    const grant = { page: vault.id, subject_type: 'client', subject: 'mole', level: 'hidden' };
    await call('grant_permission', grant);
    expect(await seen()).toBe(false);
    await call('restore_page', { page: gone.id });
    expect(await seen()).toBe(false);
  });

  it('[PERM-28] reads in the timeline of no file that came out of its sight, however it is called, and of all others', async () => {
    if (!under.available()) return;
    const call = (name: string, input: Answer = {}): Promise<Answer> => ours().call(owner, name, input);
    const file = await uploaded(owner, 'odd');
    const signs = Array.from({ length: 0x22 }, (_, i) => String.fromCharCode(i || 0x7f));
    const odd = [
      'it\'s "x".txt',
      'a\\b',
      'tab\there',
      'new\nline',
      'ünï\u2028😀',
      `${signs.join('')}"\\`,
    ].map((name) => `Odd/${name}`);
    const alike = ['Odd-100%', 'Odd_1', 'ODD/A'];
    const like = ['Odd/%', 'Odd/_', 'Odd/a', '%', '___-____'];
    await call('import_pages', { files: [{ path: 'Odd.md', text: '![[%]] ![[___-____]]' }] });
    // Each in an event of its own.
    for (const path of [...odd, ...like, ...alike])
      await call('import_attachments', { files: [{ ...file, path }] });
    const named = async (): Promise<readonly string[]> => {
      const { events } = await ours().call(mole, 'get_timeline', { limit: 100 });
      return (events as { details: { files?: string[] } }[]).flatMap(({ details }) => details.files ?? []);
    };
    const all = [...odd, ...like, ...alike];
    expect((await named()).filter((path) => all.includes(path)).toSorted()).toEqual(all.toSorted());
    await call('grant_permission', { page: 'odd', subject_type: 'client', subject: 'mole', level: 'hidden' });
    expect((await named()).filter((path) => all.includes(path)).toSorted()).toEqual(alike.toSorted());
  });

  it('[PERM-29] gets no bytes by the digest of a hidden file, and is not told whether they are there', async () => {
    if (!under.available()) return;
    const page = 'minutes';
    const [hidden, absent, shared] = ['secret bytes', 'no such bytes', 'public bytes'].map(described);
    const take = (path: string, file = hidden, more: Answer = {}): Promise<Answer> =>
      both('import_attachments', { files: [{ ...file, path }], ...more });
    for (const file of [hidden, absent])
      for (const dry of [true, false])
        expect(await take('guess.bin', file, { dry_run: dry })).toMatchObject({
          attached: 0,
          missing: [file?.digest],
        });
    // Nor as a part of something else.
    const parts = [shared?.digest, hidden?.digest];
    expect(await take('guess.bin', { ...described('both'), parts })).toMatchObject({
      attached: 0,
    });
    expect(await both('attach_file', { page, name: 'guess.bin', blob: hidden?.digest })).toEqual({});
    await both('read_attachment', { path: 'guess.bin' });
    // What it sees it may use.
    expect(await take('logo again.png', shared)).toMatchObject({ attached: 1, missing: [] });
    expect(await both('attach_file', { page, name: 'logo.png', blob: shared?.digest })).toMatchObject({
      changed: true,
    });
    // That others sent the bytes does not help it; that it did, does.
    await uploaded(owner, 'secret bytes');
    const ask = { files: [{ ...hidden, path: 'guess.bin' }] };
    expect(await ours().call(mole, 'import_attachments', ask)).toMatchObject({ missing: [hidden?.digest] });
    await uploaded(mole, 'secret bytes');
    expect(await ours().call(mole, 'import_attachments', ask)).toMatchObject({ attached: 1, missing: [] });
    const own = { page, name: 'own.bin', blob: hidden?.digest };
    expect(await ours().call(mole, 'attach_file', own)).toMatchObject({ changed: true });
    // Nothing changes for those from whom nothing is hidden.
    const again = { files: [{ ...hidden, path: 'again.bin' }] };
    expect(await ours().call(owner, 'import_attachments', again)).toMatchObject({ attached: 1, missing: [] });
  });
});

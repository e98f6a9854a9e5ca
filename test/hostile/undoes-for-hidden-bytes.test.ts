/** A caller undoes that a file went, long after its bytes would be gone, to hear whether a hidden file has them. */
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { onEachStore } from '../support/each-store.ts';
import { mole } from '../support/leaks/two-worlds.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { UNLIMITED } from '../support/unlimited.ts';
import { type Answer, letEditors, openWholeApp, owner } from '../support/whole-app.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const bytes = Buffer.from('known bytes').toString('base64');
const digest = `sha256:${createHash('sha256').update('known bytes').digest('hex')}`;

onEachStore('who undoes for bytes', (under) => {
  it('[PERM-34] gets them while they are kept for him, and later not for who else has them', async () => {
    if (!under.available()) return;
    const home = temporaryFolder();
    let now = Date.UTC(2026, 0, 1);
    const open = () => openWholeApp(home, { ...under.config(), ...UNLIMITED }, { now: () => now });
    const before = await open();
    await letEditors(before);
    const page = (await before.call(owner, 'create_page', { title: 'Vault', content: 'closed' })).id;
    const grant = { page, subject_type: 'client', subject: 'mole', level: 'hidden' };
    await before.call(owner, 'grant_permission', grant);
    const does = (run: string, name: string, input: Answer) =>
      before.ask(mole, { kind: 'tool', name, arguments: input }, run);
    await before.call(mole, 'upload_blobs', { blobs: [bytes] });
    for (const path of ['soon.bin', 'late.bin', 'seen.bin', 'kept.bin']) {
      const files = [{ path, digest, size: 11, parts: [digest] }];
      expect(await does('in', 'import_attachments', { files })).toMatchObject({ ok: true });
      expect(await does(path, 'detach_file', { path })).toMatchObject({ ok: true });
    }
    await before.call(owner, 'attach_file', { page, name: 'hidden.bin', bytes });
    await before.app.close();
    // What it has sent is forgotten by now.
    const after = await open();
    const undo = async (path: string, who = mole): Promise<unknown> => {
      const { pages } = await after.call(who, 'undo_run', { run: `client:mole/${path}` });
      return (pages as { outcome: string }[])[0]?.outcome;
    };
    now += 29 * DAY_MS;
    expect(await undo('soon.bin')).toBe('undone');
    await after.call(mole, 'detach_file', { path: 'soon.bin' });
    now += 2 * DAY_MS;
    expect(await undo('late.bin')).toBe('kept');
    // Who sees the file that has them gets them back.
    expect(await undo('seen.bin', owner)).toBe('undone');
    // They are kept for as long as the owner wants.
    await after.call(owner, 'detach_file', { path: 'seen.bin' });
    await after.call(owner, 'set_trash_retention', { days: 60 });
    expect(await undo('kept.bin')).toBe('undone');
    await after.app.close();
  });
});

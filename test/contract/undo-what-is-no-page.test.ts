/** Undoing what a run did besides pages: files, memory, and what stays as it is. */
import { expect, it } from 'vitest';
import type { SluiceClient } from '../../src/app/create-sluice.ts';
import { onEachStore } from '../support/each-store.ts';
import { type Answer, create } from '../support/review.ts';
import { useSluice } from '../support/sluice-home.ts';

interface Undone extends Answer {
  readonly undo_run: string;
  readonly undone: number;
  readonly kept: number;
  readonly pages: readonly { title: string; outcome: string; reasons: string[] }[];
}

onEachStore('undoing what is no page', (under) => {
  const sluice = useSluice(under);

  let runs = 0;
  /** The owner in a run of its own. */
  const owner = (): { as: SluiceClient; run: string } => {
    runs += 1;
    const run = `run-${runs}`;
    return { as: sluice.as({ name: 'owner', role: 'owner', origin: 'authored', run }), run: `owner/${run}` };
  };
  const undo = async (run: string, more: Answer = {}): Promise<Undone> =>
    (await sluice.call('undo_run', { run, ...more })) as Undone;
  const put = (as: SluiceClient, page: string, text: string, replace = false): Promise<Answer> =>
    as.call('attach_file', {
      page,
      name: 'note.txt',
      bytes: Buffer.from(text).toString('base64'),
      replace,
    });
  const textAt = async (path: string): Promise<string | undefined> => {
    try {
      const { bytes } = await sluice.call('read_attachment', { path });
      return Buffer.from(String(bytes), 'base64').toString();
    } catch {
      return undefined;
    }
  };

  it('[HIST-24] files that came go, and what lay there before lies there again', async () => {
    const page = await create(sluice, 'With files', '[[note.txt]]\n');
    const first = owner();
    const path = String((await put(first.as, page.id, 'one')).path);
    const second = owner();
    await put(second.as, page.id, 'two', true);
    const rehearsed = await undo(second.run, { dry_run: true });
    expect(rehearsed).toMatchObject({
      undone: 1,
      kept: 0,
      pages: [{ page: null, title: path, outcome: 'undone' }],
    });
    expect(await textAt(path)).toBe('two');
    const { undo_run: own } = await undo(second.run);
    expect(await textAt(path)).toBe('one');
    await undo(own);
    expect(await textAt(path)).toBe('two');
    // The first run's file is not there any more, another one is.
    expect(await undo(first.run, { dry_run: true })).toMatchObject({
      kept: 1,
      pages: [{ title: path, outcome: 'kept', reasons: [expect.stringMatching(/another file/)] }],
    });
    await undo(second.run);
    await undo(first.run);
    expect(await textAt(path)).toBeUndefined();
    const { links } = await sluice.call('get_outgoing_links', { page: page.id });
    expect(links).toMatchObject([{ status: 'unresolved' }]);
  });

  it('[HIST-27] the history of a page says what was attached to it, and that its text stayed', async () => {
    const page = await create(sluice, 'Gets a file', 'text\n');
    const { as, run } = owner();
    const path = String((await put(as, page.id, 'one')).path);
    const { version } = await sluice.call('read_page', { page: page.id });
    const { events } = await sluice.call('get_page_history', { page: page.id });
    expect(events).toMatchObject([
      {
        kind: 'files_attached',
        run,
        before_version: version,
        after_version: version,
        details: { files: [path] },
      },
      { kind: 'page_created' },
    ]);
  });

  it('[HIST-28] the preview says in words what happens to each', async () => {
    const page = await create(sluice, 'Told', 'one\n');
    const { as, run } = owner();
    const { version } = await sluice.call('read_page', { page: page.id });
    await as.call('update_page_content', { page: page.id, content: 'two\n', base_version: version });
    await as.call('rename_page', { page: page.id, title: 'Told anew' });
    const path = String((await put(as, page.id, 'one')).path);
    const made = await create(as, 'Made', 'one\n');
    const wanted = [
      { page: made.id, outcome: 'undone', effects: ['goes to the trash'] },
      { page: null, title: path, outcome: 'undone', effects: ['is taken away'] },
      { page: page.id, outcome: 'undone', effects: ['gets its name back', 'gets its text back'] },
    ];
    expect((await undo(run, { dry_run: true })).pages).toMatchObject(wanted);
    expect((await undo(run)).pages).toMatchObject(wanted);
  });

  it('[HIST-24] a file that was taken away is back', async () => {
    const page = await create(sluice, 'Loses a file');
    const path = String((await put(sluice, page.id, 'kept')).path);
    const { as, run } = owner();
    await as.call('detach_file', { path });
    expect(await textAt(path)).toBeUndefined();
    await undo(run);
    expect(await textAt(path)).toBe('kept');
  });

  it('[HIST-24] more files than one event names go together', async () => {
    const { as, run } = owner();
    const { blobs } = await as.call('upload_blobs', { blobs: [Buffer.from('x').toString('base64')] });
    const [{ digest }] = blobs as [{ digest: string }];
    const files = Array.from({ length: 45 }, (_, i) => ({
      path: `many/${i}.bin`,
      digest,
      size: 1,
      parts: [digest],
    }));
    await as.call('import_attachments', { files });
    expect(await undo(run)).toMatchObject({ undone: 45, kept: 0 });
    expect((await sluice.call('list_attachments', {})).files).not.toContainEqual(
      expect.objectContaining({ path: 'many/7.bin' }),
    );
  });

  const remember = async (as: SluiceClient, subject: string, body: string): Promise<string> =>
    String((await as.call('memory_write', { tier: 'semantic', subject, predicate: 'is', body })).id);
  const inForce = async (subject: string): Promise<unknown[]> =>
    ((await sluice.call('memory_search', { query: subject, tiers: ['semantic'] })).items as Answer[])
      .filter((one) => one.subject === subject)
      .map(({ body }) => body);

  it('[HIST-24] a memory that was written is forgotten, and what held before holds again', async () => {
    await remember(sluice, 'sky', 'blue');
    const { as, run } = owner();
    await remember(as, 'sky', 'grey');
    expect(await inForce('sky')).toEqual(['grey']);
    const { undo_run: own } = await undo(run);
    expect(await inForce('sky')).toEqual(['blue']);
    await undo(own);
    expect(await inForce('sky')).toEqual(['grey']);
  });

  it('[HIST-24] a memory that was forgotten is remembered, and one that others changed stays', async () => {
    const kept = await remember(sluice, 'sea', 'deep');
    const forgetting = owner();
    await forgetting.as.call('memory_forget', { ids: [kept] });
    await undo(forgetting.run);
    expect(await inForce('sea')).toEqual(['deep']);
    const writing = owner();
    const own = await remember(writing.as, 'hill', 'high');
    await owner().as.call('memory_update', { id: own, pinned: true });
    expect(await undo(writing.run)).toMatchObject({ undone: 0, kept: 1 });
    expect(await inForce('hill')).toEqual(['high']);
  });

  it('[HIST-24] what was said to hold instead stays so, and memory stays for who may not write it', async () => {
    const [old, fresh] = [await remember(sluice, 'lake', 'cold'), await remember(sluice, 'pond', 'warm')];
    const replacing = owner();
    await replacing.as.call('memory_supersede', { old, new: fresh });
    const stays = await undo(replacing.run);
    expect(stays).toMatchObject({ undone: 0, kept: 1 });
    expect(stays.pages[0]?.reasons.join()).toContain('said to hold instead');
    expect(await inForce('lake')).toEqual([]);
    const writing = owner();
    await remember(writing.as, 'moor', 'wet');
    const pagesOnly = sluice.as({
      name: 'owner',
      role: 'owner',
      origin: 'authored',
      scopes: ['workspace.read', 'workspace.write'],
    });
    const refused = (await pagesOnly.call('undo_run', { run: writing.run })) as Undone;
    expect(refused.pages[0]?.reasons.join()).toContain('by who may write it');
    expect(await inForce('moor')).toEqual(['wet']);
  });

  it('[HIST-25] permissions and what cannot be had back stay, and the preview says why', async () => {
    const page = await create(sluice, 'Guarded');
    const { as, run } = owner();
    await as.call('grant_permission', {
      page: page.id,
      subject_type: 'client',
      subject: 'ide',
      level: 'read',
    });
    const gone = await create(as, 'Purged');
    await as.call('delete_page', { page: gone.id });
    await as.call('purge_page', { page: gone.id });
    const { kept, pages } = await undo(run, { dry_run: true });
    expect(kept).toBeGreaterThanOrEqual(2);
    const reasons = pages.flatMap((one) => one.reasons).join('\n');
    expect(reasons).toMatch(/revoke_permission/);
    expect(reasons).toMatch(/gone for good/);
    await undo(run);
    expect((await sluice.call('list_permissions', {})).grants).toHaveLength(1);
  });
});

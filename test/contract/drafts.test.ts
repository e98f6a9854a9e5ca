/** What imports bring: pages that wait as drafts, and changes to pages that are canonical by now. */
import { expect, it } from 'vitest';
import type { SluiceClient } from '../../src/app/create-sluice.ts';
import { onEachStore } from '../support/each-store.ts';
import { type Answer, agentOf, create, historyOf, listed, read } from '../support/review.ts';
import { useSluice } from '../support/sluice-home.ts';

interface Imported {
  readonly path: string;
  readonly outcome: string;
  readonly page: string;
  readonly proposal?: string;
}

onEachStore('imports and review', (under) => {
  const sluice = useSluice(under, async (opened) => {
    // Programs that import are let in by the owner alone.
    const rule = { subject_type: 'role', subject: 'editor', pattern: '**', effect: 'allow', reason: 'test' };
    await opened.call('policy.rule.add', rule);
  });

  async function bringIn(as: SluiceClient, files: Readonly<Record<string, string>>, more: Answer = {}) {
    const wish = Object.entries(files).map(([path, text]) => ({ path, text }));
    const answer = await as.call('import_pages', { files: wish, ...more });
    return { run: String(answer.run), files: answer.files as Imported[] };
  }

  /** The owner in a run of its own. */
  let runs = 0;
  const owner = (): SluiceClient => {
    runs += 1;
    return sluice.as({ name: 'owner', role: 'owner', origin: 'authored', run: `import-${runs}` });
  };
  const importer = (name = 'bot'): SluiceClient =>
    sluice.as({ name, role: 'editor', origin: 'agent-produced', run: `${name}-import` });

  it('[PROP-07] a draft waits, and one yes makes it canonical and stays an import', async () => {
    const { run, files } = await bringIn(owner(), { 'one.md': '# One\n' });
    const [one] = files;
    expect(await listed(sluice, { run, origin: 'imported' })).toMatchObject([
      {
        id: one?.page,
        op: 'create_page',
        summary: 'Imported page "one"',
        state: 'pending',
        expires_at: null,
      },
    ]);
    expect(await listed(sluice, { run, origin: 'agent-produced' })).toEqual([]);
    expect(await sluice.call('accept_proposal', { proposal: one?.page })).toMatchObject({ accepted: 1 });
    expect(await read(sluice, one?.page ?? '')).toMatchObject({ lifecycle: 'canonical', origin: 'imported' });
    expect((await historyOf(sluice, one?.page ?? ''))[0]).toMatchObject({
      kind: 'proposal_accepted',
      details: { lifecycle: { from: 'draft', to: 'canonical' } },
    });
  });

  it('[PROP-07] a whole import is decided by its run, those above before those below', async () => {
    const many = { 'run/deep/a.md': 'A\n', 'run/deep/b.md': 'B\n', 'run/deep.md': 'Deep\n' };
    const { run, files } = await bringIn(owner(), many);
    const below = files.find(({ path }) => path === 'run/deep/a.md')?.page;
    await expect(sluice.call('accept_proposal', { proposal: below })).rejects.toMatchObject({
      code: 'conflict',
      details: { reason: 'parent' },
    });
    // With the folder that no file stood for.
    expect(await sluice.call('accept_proposal', { run })).toMatchObject({
      accepted: 4,
      refused: 0,
      more: false,
    });
    for (const { page } of files) expect(await read(sluice, page)).toMatchObject({ lifecycle: 'canonical' });
  });

  it('[PROP-07] a rejected draft goes to the trash and waits again when it is restored', async () => {
    const { run, files } = await bringIn(owner(), { 'no/a.md': 'A\n', 'no/b.md': 'B\n' });
    const { outcomes } = (await sluice.call('reject_proposal', { run, reason: 'not these' })) as {
      outcomes: { outcome: string; batch?: string }[];
    };
    const [page] = files;
    await expect(read(sluice, page?.page ?? '')).rejects.toMatchObject({ code: 'not_found' });
    expect(await listed(sluice, { run, state: 'rejected' })).toHaveLength(3);
    await sluice.call('restore_page', { batch: outcomes.find(({ batch }) => batch)?.batch });
    expect((await listed(sluice, { run })).map(({ state }) => state)).toEqual([
      'pending',
      'pending',
      'pending',
    ]);
    expect(await read(sluice, page?.page ?? '')).toMatchObject({ lifecycle: 'draft' });
  });

  it('[PROP-07] no agent accepts what it imported', async () => {
    const agent = importer('sly');
    const { files } = await bringIn(agent, { 'sly.md': 'mine\n' });
    const { page } = files[0] as Imported;
    await expect(agent.call('accept_proposal', { proposal: page })).rejects.toMatchObject({
      code: expect.stringMatching(/denied|not_found/),
    });
    expect(await read(sluice, page)).toMatchObject({ lifecycle: 'draft' });
  });

  it('[PROP-08] a change to a canonical page waits, and what else came is there', async () => {
    const { files } = await bringIn(owner(), { 'kept.md': 'One.\n\nTwo.\n' }, { canonical: true });
    const { page } = files[0] as Imported;
    const agent = importer();
    const wish = { 'kept.md': 'One.\n\nTwo!\n', 'fresh.md': 'new\n' };
    const rehearsed = await bringIn(agent, wish, { dry_run: true });
    expect(rehearsed.files.map(({ outcome }) => outcome)).toEqual(['proposed', 'created']);
    expect(await listed(sluice, { page })).toEqual([]);
    const first = await bringIn(agent, wish);
    expect(first.files).toMatchObject([{ outcome: 'proposed', page }, { outcome: 'created' }]);
    const again = await bringIn(agent, wish);
    expect(again.files).toMatchObject([
      { outcome: 'proposed', proposal: first.files[0]?.proposal },
      { outcome: 'unchanged' },
    ]);
    expect(await read(sluice, page)).toMatchObject({ content: 'One.\n\nTwo.\n' });
    const proposal = first.files[0]?.proposal;
    expect(await sluice.call('read_proposal', { proposal })).toMatchObject({
      origin: 'imported',
      text: { overlaps: false, diff: expect.stringContaining('+Two!') },
    });
    // Somebody else goes on meanwhile.
    const { version } = await read(sluice, page);
    const other = { page, content: 'One?\n\nTwo.\n', base_version: version };
    await sluice.call('update_page_content', other);
    await sluice.call('accept_proposal', { proposal });
    expect(await read(sluice, page)).toMatchObject({ content: 'One?\n\nTwo!\n', lifecycle: 'canonical' });
    expect((await bringIn(agent, { 'kept.md': 'One.\n\nTwo!\n' })).files).toMatchObject([
      { outcome: 'unchanged', page },
    ]);
  });

  it('[PROP-08] the same place changed on both sides is a conflict and proposes nothing', async () => {
    const { files } = await bringIn(owner(), { 'both.md': 'One.\n' }, { canonical: true });
    const { page } = files[0] as Imported;
    const { version } = await read(sluice, page);
    await sluice.call('update_page_content', { page, content: 'Mine.\n', base_version: version });
    expect((await bringIn(importer(), { 'both.md': 'Theirs.\n' })).files).toMatchObject([
      { outcome: 'conflict', page },
    ]);
    expect(await listed(sluice, { page })).toEqual([]);
  });

  it('[PROP-08] a file that a canonical page shows is not replaced by an import', async () => {
    const bytes = (text: string) => Buffer.from(text).toString('base64');
    const put = async (as: SluiceClient, text: string, path = 'figure.png'): Promise<Answer> => {
      const { blobs } = await as.call('upload_blobs', { blobs: [bytes(text)] });
      const [{ digest }] = blobs as [{ digest: string }];
      const file = { path, digest, size: text.length, parts: [digest] };
      return as.call('import_attachments', { files: [file] });
    };
    await create(sluice, 'Shows', '![[figure.png]]\n');
    expect(await put(importer(), 'first')).toMatchObject({ attached: 1, protected: [] });
    expect(await put(importer(), 'second')).toMatchObject({ attached: 0, protected: ['figure.png'] });
    expect(await sluice.call('read_attachment', { path: 'figure.png' })).toMatchObject({ size: 5 });
    for (const text of ['one', 'other'])
      expect(await put(importer(), text, 'unseen.png')).toMatchObject({ attached: 1, protected: [] });
  });

  it('[PROP-13] a page that an agent made below a draft is accepted after it', async () => {
    const { files } = await bringIn(owner(), { 'above.md': '' });
    const { page: above } = files[0] as Imported;
    const below = await create(agentOf(sluice), 'Below a draft', '', { parent: above });
    await expect(sluice.call('accept_proposal', { proposal: below.id })).rejects.toMatchObject({
      details: { reason: 'parent', proposal: above },
    });
    for (const proposal of [above, below.id]) await sluice.call('accept_proposal', { proposal });
    expect(await read(sluice, below.id)).toMatchObject({ lifecycle: 'canonical' });
  });
});

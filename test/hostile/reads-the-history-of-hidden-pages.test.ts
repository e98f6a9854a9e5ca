/** Tries to learn of hidden pages by what happened to them: timelines, differences, provenance, exports and undoing. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSluice, type Sluice, type SluiceClient } from '../../src/app/create-sluice.ts';
import { SluiceError } from '../../src/kernel/errors.ts';
import { onEachStore } from '../support/each-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

type Answer = Record<string, unknown>;

onEachStore('the history of hidden pages', (under) => {
  let sluice: Sluice;
  let spy: SluiceClient;
  let secret: Answer;
  let open: Answer;
  let block: string;
  beforeAll(async () => {
    if (!under.available()) return;
    sluice = await createSluice({ home: temporaryFolder(), config: under.config() });
    spy = sluice.as({ name: 'spy', run: 'watching' });
    secret = await sluice.call('create_page', { title: 'Secret', content: 'The hidden words.\n' });
    // Read while it could be, so that the trail knows it.
    await spy.call('read_page', { page: secret.id });
    await spy.call('create_page', { title: 'Of the spy', content: 'x' });
    const writer = sluice.as({ name: 'writer', run: 'both' });
    open = await writer.call('create_page', {
      title: 'Open',
      content: 'Made of it.\n',
      derived_from: ['secret'],
    });
    const { blocks } = await sluice.call('get_provenance', { page: secret.id, blocks: true });
    block = (blocks as { block: string }[])[0]?.block ?? '';
    await sluice.call('grant_permission', {
      page: secret.id,
      subject_type: 'client',
      subject: 'spy',
      level: 'hidden',
    });
  });
  afterAll(() => sluice?.close());

  /** What a client finds in the timeline that is no page's. */
  const pageless = async (who: SluiceClient): Promise<readonly Answer[]> => {
    const { events } = await who.call('get_timeline', { limit: 100 });
    return (events as Answer[]).filter(({ page }) => page === null);
  };

  /** With what the caller itself said taken out. */
  const answerTo = async (tool: string, input: Answer, said: string): Promise<string> => {
    const answer = await spy.call(tool, input).catch((error: unknown) => error);
    const shown = answer instanceof SluiceError ? [answer.code, answer.message, answer.details] : answer;
    return JSON.stringify(shown).replaceAll(said, '?');
  };

  it('[HIST-23] are answered as if they were not there', async () => {
    if (!under.available()) return;
    const [id, none] = [String(secret.id), '01999999-0000-7000-8000-000000000000'];
    for (const [tool, key] of [
      ['diff_versions', 'page'],
      ['get_provenance', 'page'],
      ['get_provenance', 'block'],
      ['export_provenance', 'page'],
      ['get_timeline', 'page'],
      ['get_page_history', 'page'],
    ] as const) {
      const asked = key === 'block' ? block : id;
      expect(await answerTo(tool, { [key]: asked }, asked)).toBe(await answerTo(tool, { [key]: none }, none));
    }
    const restore = { version: secret.version, if_match: secret.version };
    expect(await answerTo('restore_version', { page: id, ...restore }, id)).toBe(
      await answerTo('restore_version', { page: none, ...restore }, none),
    );
  });

  it('[HIST-23] are in no answer about what can be seen', async () => {
    if (!under.available()) return;
    for (const [tool, input] of [
      ['get_timeline', { limit: 100 }],
      ['get_provenance', { page: open.id, blocks: true }],
      ['read_page', { page: open.id }],
      ['export_provenance', { page: 'of-the-spy' }],
      ['export_provenance', { page: open.id }],
      ['undo_run', { run: 'client:spy/watching', dry_run: true }],
      ['export_pages', { provenance: true }],
    ] as const) {
      const answer = JSON.stringify(await spy.call(tool, input));
      for (const leak of [secret.id, secret.version, 'Secret', 'hidden words'])
        expect(answer, `${tool} ${JSON.stringify(input)}`).not.toContain(String(leak));
    }
  });

  it('[PERM-35] tell of the undoing of a run only those who see something that it did', async () => {
    if (!under.available()) return;
    const edit = (run: string, page: unknown): Promise<unknown> =>
      sluice
        .as({ name: 'owner', role: 'owner', kind: 'author', origin: 'authored', run })
        .call('edit_page', { page, edits: [{ op: 'append', text: `By ${run}.\n` }] });
    await edit('merger-prep', secret.id);
    await edit('tidying', open.id);
    await edit('a-bit-of-both', secret.id);
    await edit('a-bit-of-both', open.id);
    for (const run of ['merger-prep', 'tidying', 'a-bit-of-both']) {
      const { undo_run } = await sluice.call('undo_run', { run: `owner/${run}` });
      // Done again as well: an undoing is a run like any other.
      await sluice.call('undo_run', { run: undo_run });
    }
    const blind = sluice.as({ name: 'blind' });
    const root = { page: null, subject_type: 'client', subject: 'blind', level: 'hidden' };
    await sluice.call('grant_permission', root);
    const undone = async (who: SluiceClient): Promise<number> =>
      (await pageless(who)).filter(({ kind }) => kind === 'run_undone').length;
    expect([await undone(sluice), await undone(spy), await undone(blind)]).toEqual([6, 4, 0]);
    expect(JSON.stringify(await spy.call('get_timeline', { limit: 100 }))).not.toContain('merger-prep');
  });

  it('[PERM-35] tell nothing of memories that were made from them, also when those are gone', async () => {
    if (!under.available()) return;
    const fact = { tier: 'semantic', subject: 'the plan', predicate: 'is', body: 'To sell.' };
    const { id } = await sluice
      .as({ name: 'scribe', run: 'of-the-plan' })
      .call('memory_write', { ...fact, sources: [secret.id] });
    await sluice.call('memory_write', fact);
    const before = await pageless(spy);
    const spying = sluice.as({ name: 'spy', role: 'editor' });
    // It holds already, so that nothing is kept of the second.
    await sluice.call('memory_review', { id, decision: 'accept', anyway: true });
    await expect(sluice.call('memory_read', { id })).rejects.toMatchObject({ code: 'not_found' });
    const after = await pageless(spy);
    expect(JSON.stringify(after)).not.toContain(String(id));
    expect(after.filter(({ run }) => String(run).includes('of-the-plan'))).toEqual([]);
    expect(before.length).toBeGreaterThan(0);
    const decided = await spying.call('list_proposals', { state: 'accepted' });
    expect(decided.proposals).toEqual([]);
    expect((await sluice.call('list_proposals', { state: 'accepted' })).proposals).toHaveLength(1);
  });

  it('[PERM-35] leave memories that were made from them as hidden when they are purged', async () => {
    if (!under.available()) return;
    const page = await sluice.call('create_page', { title: 'Burnt', parent: secret.id, content: 'x' });
    const { id } = await sluice.call('memory_write', {
      tier: 'episodic',
      body: 'What was burnt.',
      sources: [page.id],
    });
    await sluice.call('delete_page', { page: page.id });
    await sluice.call('purge_page', { page: page.id });
    expect(await sluice.call('memory_read', { id })).toMatchObject({ body: 'What was burnt.' });
    await expect(spy.call('memory_read', { id })).rejects.toMatchObject({ code: 'not_found' });
    expect(JSON.stringify(await pageless(spy))).not.toContain(String(id));
  });
});

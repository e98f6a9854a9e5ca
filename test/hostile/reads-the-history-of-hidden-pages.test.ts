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
});

/** Tries to take back what others did: by their runs, by runs it claims, and by an undoing that became its own. */
import { afterAll, describe, expect, it } from 'vitest';
import { createSluice, type SluiceClient } from '../../src/app/create-sluice.ts';
import { SluiceError } from '../../src/kernel/errors.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const sluice = await createSluice({ home: temporaryFolder() });
afterAll(() => sluice.close());

const refusal = async (client: SluiceClient, run: string, more = {}): Promise<unknown> => {
  const answer = await client.call('undo_run', { run, ...more }).catch((error: unknown) => error);
  if (!(answer instanceof SluiceError)) return answer;
  return { code: answer.code, message: answer.message.replaceAll(run, 'RUN'), details: answer.details };
};
const mallory = sluice.as({ name: 'mallory', run: 'bad' });
const victim = sluice.as({ name: 'victim', run: 'good' });

describe('[HIST-14] a client that may not write canonical pages', () => {
  it('finds no run of somebody else, in the words for a run that does not exist', async () => {
    await victim.call('create_page', { title: 'Of the victim', content: 'x' });
    await sluice
      .as({ name: 'owner', role: 'owner', kind: 'author', origin: 'authored', run: 'mine' })
      .call('create_page', { title: 'Of the owner', content: 'x' });
    const absent = await refusal(mallory, 'client:victim/never');
    expect(absent).toMatchObject({ code: 'not_found' });
    for (const run of ['client:victim/good', 'owner/mine', 'client:mallory/never'])
      for (const more of [{}, { dry_run: true }]) expect(await refusal(mallory, run, more)).toEqual(absent);
    expect(await sluice.call('read_page', { page: 'of-the-victim' })).toMatchObject({ content: 'x' });
  });

  it('cannot step into a run by claiming its name', async () => {
    const claims = sluice.as({ name: 'mallory', run: '../client:victim/good' });
    await claims.call('create_page', { title: 'Bait', content: 'x' }).catch(() => undefined);
    await refusal(claims, 'client:mallory/../client:victim/good');
    expect(await sluice.call('read_page', { page: 'of-the-victim' })).toMatchObject({ content: 'x' });
  });

  it('takes back what it did itself, but not the undoing by somebody else', async () => {
    await mallory.call('create_page', { title: 'Spam', content: 'x' });
    const { undo_run: own } = await sluice.call('undo_run', { run: 'client:mallory/bad' });
    const absent = await refusal(mallory, 'client:victim/never');
    expect(await refusal(mallory, String(own))).toEqual(absent);
    const again = sluice.as({ name: 'mallory', run: 'worse' });
    await again.call('create_page', { title: 'More spam', content: 'x' });
    expect(await refusal(again, 'client:mallory/worse')).toMatchObject({ undone: 1 });
    await expect(sluice.call('read_page', { page: 'more-spam' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('does not take back what became canonical', async () => {
    const { id } = await sluice.call('create_page', { title: 'Canon', content: 'one\n' });
    const person = { name: 'mel', role: 'editor', kind: 'author', run: 'day' } as const;
    const editor = sluice.as({ ...person, origin: 'authored' });
    const lowered = sluice.as({ ...person, origin: 'agent-produced' });
    const { version } = await sluice.call('read_page', { page: id });
    await editor.call('update_page_content', { page: id, content: 'two\n', base_version: version });
    await refusal(lowered, 'author:mel/day');
    expect(await sluice.call('read_page', { page: id })).toMatchObject({ content: 'two\n' });
  });
});

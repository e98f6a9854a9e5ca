/** A caller takes files away where it may only read or propose: as if a folder had lost them, and by undoing others' runs. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Outcome } from '../../src/gateway/request.ts';
import { onEachStore } from '../support/each-store.ts';
import { buildWorld, type World } from '../support/leaks/two-worlds.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type Answer, editorNamed, owner } from '../support/whole-app.ts';

const reader = editorNamed('reader');
const proposer = editorNamed('proposer');
const agent = { ...editorNamed('bot'), origin: 'agent-produced' } as const;
const digestOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;
const denied = { ok: false, error: { code: 'denied', details: { field: 'path' } } };

onEachStore('who may only read files', (under) => {
  let world: World | undefined;
  const ours = (): World => world as World;
  beforeAll(async () => {
    if (!under.available()) return;
    world = await buildWorld(temporaryFolder(), under, true);
    const page = ours().ids.get('Salaries');
    for (const [subject, level] of Object.entries({ reader: 'read', proposer: 'propose' }))
      await ours().call(owner, 'grant_permission', { page, subject_type: 'client', subject, level });
    await ours().call(owner, 'create_page', { title: 'Front', content: '![[logo.png]]' });
  });
  afterAll(() => world?.app.close());

  const ask = (who: typeof owner, name: string, input: Answer, run?: string): Promise<Outcome> =>
    ours().ask(who, { kind: 'tool', name, arguments: input }, run);
  const remove = (who: typeof owner, path: string, text: string): Promise<Outcome> =>
    ask(who, 'remove_files', { files: [{ path, digest: digestOf(text) }] });
  const isThere = async (path: string): Promise<boolean> =>
    (await ask(owner, 'read_attachment', { path })).ok;

  /** A file that no page shows, in the zone of a page or outside of all. */
  async function putLoose(who: typeof owner, name: string, run: string, title?: string): Promise<string> {
    const digest = digestOf(name);
    await ask(who, 'upload_blobs', { blobs: [Buffer.from(name).toString('base64')] }, run);
    const files = [{ path: name, digest, size: name.length, parts: [digest] }];
    const into = title === undefined ? {} : { into: ours().ids.get(title) };
    expect(await ask(who, 'import_attachments', { files, ...into }, run)).toMatchObject({ ok: true });
    return title === undefined ? name : `${title}/${name}`;
  }

  it('[PERM-26] removes none of them, shown by a page or not', async () => {
    if (!under.available()) return;
    expect(await remove(reader, 'pay.png', 'secret bytes')).toMatchObject({ error: { code: 'denied' } });
    const loose = await putLoose(owner, 'loose.bin', 'loose', 'Salaries');
    for (const who of [reader, proposer]) expect(await remove(who, loose, 'loose.bin')).toMatchObject(denied);
    expect([await isThere('pay.png'), await isThere(loose)]).toEqual([true, true]);
  });

  it('[PERM-26] removes not even what it brought itself where it may only read by now', async () => {
    if (!under.available()) return;
    const own = await putLoose(proposer, 'own.bin', 'own', 'Salaries');
    const allow = (level: string): Promise<Answer> =>
      ours().call(owner, 'grant_permission', {
        page: ours().ids.get('Salaries'),
        subject_type: 'client',
        subject: 'proposer',
        level,
      });
    await allow('read');
    expect(await ask(proposer, 'detach_file', { path: own })).toMatchObject({ error: { code: 'denied' } });
    expect(await isThere(own)).toBe(true);
    await allow('propose');
    expect(await ask(proposer, 'detach_file', { path: own })).toMatchObject({ ok: true });
  });

  it('[PERM-26] an agent only proposes to remove what a canonical page shows, and nothing that none does', async () => {
    if (!under.available()) return;
    const asked = await remove(agent, 'logo.png', 'public bytes');
    expect(asked).toMatchObject({ answer: { structured: { proposal: { state: 'pending' } } } });
    const open = await putLoose(owner, 'open.bin', 'open');
    expect(await remove(agent, open, 'open.bin')).toMatchObject(denied);
    expect([await isThere('logo.png'), await isThere(open)]).toEqual([true, true]);
    // Whoever may, still does.
    const gone = { answer: { structured: { files: [{ path: open, outcome: 'removed' }] } } };
    expect(await remove(owner, open, 'open.bin')).toMatchObject(gone);
    expect(await isThere(open)).toBe(false);
  });

  it('[PERM-27] takes none away and puts none back by undoing what others did', async () => {
    if (!under.available()) return;
    const came = await putLoose(owner, 'came.bin', 'came', 'Salaries');
    const went = await putLoose(owner, 'went.bin', 'before', 'Salaries');
    expect(await ask(owner, 'detach_file', { path: went }, 'went')).toMatchObject({ ok: true });
    for (const who of [reader, proposer])
      for (const run of ['author:ann/came', 'author:ann/went'])
        for (const dryRun of [true, false])
          expect(await ask(who, 'undo_run', { run, dry_run: dryRun })).toMatchObject(denied);
    expect([await isThere(came), await isThere(went)]).toEqual([true, false]);
    for (const run of ['author:ann/came', 'author:ann/went']) await ours().call(owner, 'undo_run', { run });
    expect([await isThere(came), await isThere(went)]).toEqual([false, true]);
  });

  it('[PERM-27] an agent still takes back files that it brought itself', async () => {
    if (!under.available()) return;
    const own = await putLoose(agent, 'own.bin', 'own');
    expect(await ask(agent, 'undo_run', { run: 'client:bot/own' })).toMatchObject({ ok: true });
    expect(await isThere(own)).toBe(false);
  });

  const proposed = { answer: { structured: { proposal: { state: 'pending' } } } };
  const textAt = async (path: string): Promise<string> => {
    const { bytes } = await ours().call(owner, 'read_attachment', { path });
    return Buffer.from(String(bytes), 'base64').toString();
  };

  it('[PERM-33] an agent gets no right to a file by linking to it, and only proposes to take it away', async () => {
    if (!under.available()) return;
    const prey = await putLoose(owner, 'prey.bin', 'prey');
    await ask(agent, 'create_page', { title: 'Prey', content: '![[prey.bin]]' });
    const away = await ask(agent, 'detach_file', { path: prey });
    expect([away, await remove(agent, prey, prey)]).toMatchObject([proposed, proposed]);
    expect(await isThere(prey)).toBe(true);
    const { proposals } = await ours().call(owner, 'list_proposals', { run: 'client:bot/test' });
    const kept = (proposals as { id: string; op: string }[]).find(({ op }) => op === 'detach_file');
    await ours().call(owner, 'accept_proposal', { proposal: kept?.id });
    expect(await isThere(prey)).toBe(false);
  });

  it('[PERM-33] nor does it put another in its place, by an import or beside a page of its own', async () => {
    if (!under.available()) return;
    await ask(agent, 'create_page', { title: 'Nest', content: '![[egg.bin]] ![[Nest/egg.bin]]' });
    const [egg, nested] = [await putLoose(owner, 'egg.bin', 'egg'), 'Nest/egg.bin'];
    const bytes = { digest: digestOf('egg.bin'), size: 7, parts: [digestOf('egg.bin')] };
    await ours().call(owner, 'import_attachments', { files: [{ ...bytes, path: nested }] });
    const cuckoo = { digest: digestOf('cuckoo'), size: 6, parts: [digestOf('cuckoo')] };
    const blobs = [Buffer.from('cuckoo').toString('base64')];
    await ask(agent, 'upload_blobs', { blobs });
    const files = [egg, nested].map((path) => ({ ...cuckoo, path }));
    const brought = await ask(agent, 'import_attachments', { files });
    expect(brought).toMatchObject({ answer: { structured: { attached: 0, protected: [egg, nested] } } });
    const beside = { page: 'nest', name: 'egg.bin', bytes: blobs[0], replace: true };
    expect(await ask(agent, 'attach_file', beside)).toMatchObject(proposed);
    expect([await textAt(egg), await textAt(nested)]).toEqual([egg, egg]);
  });

  it('[PERM-33] nor does a note of its own take the place of one', async () => {
    if (!under.available()) return;
    const odd = await putLoose(owner, 'odd.md', 'odd');
    const files = [{ path: odd, text: 'a note now' }];
    expect(await ask(agent, 'import_pages', { files })).toMatchObject({
      answer: { structured: { files: [{ path: odd, outcome: 'protected' }] } },
    });
    expect(await textAt(odd)).toBe(odd);
    expect(await ask(owner, 'import_pages', { files })).toMatchObject({
      answer: { structured: { files: [{ path: odd, outcome: 'created' }] } },
    });
    expect(await isThere(odd)).toBe(false);
  });

  it('[PERM-33] what it brought itself it takes away, as long as nobody else brought it since', async () => {
    if (!under.available()) return;
    const own = await putLoose(agent, 'mine.bin', 'mine');
    expect(await ask(agent, 'detach_file', { path: own })).toMatchObject({ ok: true });
    expect(await isThere(own)).toBe(false);
    await putLoose(agent, 'shared.bin', 'shared');
    await ours().call(owner, 'detach_file', { path: 'shared.bin' });
    await putLoose(owner, 'shared.bin', 'again');
    expect(await ask(agent, 'undo_run', { run: 'client:bot/shared' })).toMatchObject(denied);
    expect(await isThere('shared.bin')).toBe(true);
  });

  it('[PERM-33] a program that speaks in the name of a person has none of its files', async () => {
    if (!under.available()) return;
    const loose = await putLoose(owner, 'person.bin', 'person');
    const program = { ...owner, origin: 'agent-produced' } as const;
    expect(await ask(program, 'detach_file', { path: loose })).toMatchObject(denied);
    expect(await isThere(loose)).toBe(true);
  });
});

/** What is let go of for good, and files beside pages, on both stores. */
import { createHash } from 'node:crypto';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type CollectingParts, collectBlobs } from '../../src/app/collect-blobs.ts';
import { type App, composeApp } from '../../src/app/compose.ts';
import { createSluice, type Sluice } from '../../src/app/create-sluice.ts';
import { ownerGrant } from '../../src/app/local-grants.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { createGovernanceState } from '../../src/domain/governance/governance-state.ts';
import { createFileBlobStore } from '../../src/drivers/blobs/file-blob-store.ts';
import type { Clock } from '../../src/kernel/clock.ts';
import { silentLog } from '../../src/kernel/log.ts';
import type { BlobStore } from '../../src/kernel/ports/blob-store.ts';
import { expectConsistent } from '../support/check-consistency.ts';
import { onEachStore } from '../support/each-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { addWorkspace, openTestStore, type TestStore } from '../support/test-store.ts';

type Answer = Record<string, unknown>;
const DAY = 24 * 60 * 60 * 1000;
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const digestOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

onEachStore('purging and files', (under) => {
  const home = temporaryFolder();
  let sluice: Sluice;
  let pages = 0;
  const call = (tool: string, input: Answer = {}) => sluice.call(tool, input);
  const create = async (content = '', more: Answer = {}): Promise<string> => {
    pages += 1;
    return String((await call('create_page', { title: `Page ${pages}`, content, ...more })).id);
  };
  beforeAll(async () => {
    if (under.available()) sluice = await createSluice({ home, config: under.config() });
  });
  afterAll(async () => {
    if (!under.available()) return;
    await sluice.close();
    await expectConsistent(home, under.config());
  });

  describe('[EDIT-20] purging', () => {
    it('[PERM-18] by somebody who does not see all of it keeps what is hidden from him', async () => {
      const rule = {
        subject_type: 'role',
        subject: 'editor',
        pattern: '**',
        effect: 'allow',
        reason: 'test',
      };
      await call('policy.rule.add', rule);
      const mole = sluice.as({ name: 'mole', role: 'editor', kind: 'client', origin: 'authored' });
      const above = await create('above');
      const secret = await create('secret', { parent: above });
      await call('grant_permission', {
        page: secret,
        subject_type: 'client',
        subject: 'mole',
        level: 'hidden',
      });
      const { batch } = await call('delete_page', { page: above });
      expect(await mole.call('purge_page', { batch })).toMatchObject({ count: 1, purged: [{ id: above }] });
      await expect(mole.call('purge_page', { page: secret })).rejects.toMatchObject({ code: 'not_found' });
      await call('restore_page', { page: secret });
      expect(await call('read_page', { page: secret })).toMatchObject({ content: 'secret', parent: null });
    });

    it('[PROP-26] closes what waits for the page, with the reason', async () => {
      const agent = sluice.as({ name: 'bot', role: 'agent', kind: 'agent', run: 'purged' });
      const gone = await create('text');
      const { id: fresh } = await agent.call('create_page', { title: 'Never accepted', parent: gone });
      await agent.call('update_page_metadata', { page: gone, icon: 'x' });
      await call('delete_page', { page: gone });
      await call('purge_page', { page: gone });
      const { proposals } = (await call('list_proposals', { run: 'agent:bot/purged', state: 'all' })) as {
        proposals: Answer[];
      };
      expect(proposals).toHaveLength(2);
      for (const one of proposals)
        expect(one).toMatchObject({ state: 'rejected', note: 'Its page was purged', decided_by: 'owner' });
      await expect(call('accept_proposal', { proposal: fresh })).rejects.toMatchObject({
        code: 'conflict',
        details: { reason: 'rejected' },
      });
    });

    it('leaves nothing of a page but its events, and links to it lead nowhere', async () => {
      const gone = await create('---\na: 1\ntags: [t]\naliases: [x]\n---\n[[Nowhere]]\n');
      await call('edit_page', { page: gone, edits: [{ op: 'append', text: 'more' }] });
      const child = await create('below', { parent: gone });
      const from = await create(`[[Page ${pages - 1}]]`, { derived_from: [gone] });
      const { batch } = await call('delete_page', { page: gone });
      expect(await call('purge_page', { batch })).toMatchObject({ count: 2, more: false });
      for (const page of [gone, child]) {
        await expect(call('restore_page', { page })).rejects.toMatchObject({ code: 'not_found' });
        await expect(call('purge_page', { page })).rejects.toMatchObject({ code: 'not_found' });
      }
      await expect(call('restore_page', { batch })).rejects.toMatchObject({
        code: 'conflict',
        details: { reason: 'purged' },
      });
      await expect(call('purge_page', { batch })).rejects.toMatchObject({ code: 'not_found' });
      expect(await call('list_trash')).toMatchObject({ batches: [] });
      expect(await call('get_outgoing_links', { page: from })).toMatchObject({
        links: [{ status: 'unresolved' }],
      });
    });

    it('of one page of a deletion leaves the rest to be restored, to the root if need be', async () => {
      const top = await create();
      const inner = await create('', { parent: top });
      const leaf = await create('', { parent: inner });
      const first = await call('delete_page', { page: leaf });
      const second = await call('delete_page', { page: top });
      await call('purge_page', { page: inner });
      expect(await call('restore_page', { batch: second.batch })).toMatchObject({
        count: 1,
        restored: [{ id: top }],
      });
      expect(await call('restore_page', { batch: first.batch })).toMatchObject({
        restored: [{ id: leaf, note: expect.stringContaining('root') }],
      });
    });

    it('takes what was restored in part, and nothing that lives', async () => {
      const top = await create();
      const child = await create('', { parent: top });
      const { batch } = await call('delete_page', { page: top });
      await call('restore_page', { page: child });
      expect(await call('purge_page', { batch })).toMatchObject({ count: 1, purged: [{ id: top }] });
      expect(await call('read_page', { page: child })).toMatchObject({ id: child });
      await expect(call('purge_page', { page: child })).rejects.toMatchObject({
        code: 'conflict',
        details: { reason: 'live' },
      });
      await expect(call('purge_page', { page: child, batch: String(batch) })).rejects.toMatchObject({
        code: 'invalid_input',
      });
    });

    it('is for whoever may write, and old things go first', async () => {
      const page = await create();
      await call('delete_page', { page });
      expect(await call('purge_page', { older_than_days: 1 })).toMatchObject({ count: 0 });
      const bot = sluice.as({ name: 'bot', role: 'client', kind: 'agent', origin: 'agent-produced' });
      await expect(bot.call('purge_page', { older_than_days: 0 })).rejects.toThrow();
      expect(await call('purge_page', { older_than_days: 0 })).toMatchObject({ count: 1 });
    });
  });

  describe('[EDIT-21] files', () => {
    it('lie beside their page, are found by links, and are the same bytes however often', async () => {
      const page = await create('![[plan.png]]');
      const { title } = await call('read_page', { page });
      const wish = { page, name: 'plan.png', bytes: base64('picture'), media_type: 'image/png' };
      const done = await call('attach_file', wish);
      expect(done).toEqual({
        path: `${title}/plan.png`,
        digest: digestOf('picture'),
        size: 7,
        media_type: 'image/png',
        changed: true,
        link: '![[plan.png]]',
      });
      expect(await call('attach_file', wish)).toMatchObject({ changed: false });
      const again = { page, name: 'copy.png', blob: done.digest };
      expect(await call('attach_file', again)).toMatchObject({ size: 7, link: '[[copy.png]]' });
      expect(await call('get_outgoing_links', { page })).toMatchObject({ links: [{ status: 'file' }] });
      expect(await call('read_attachment', { path: done.path })).toMatchObject({ bytes: base64('picture') });
      await expect(call('attach_file', { ...wish, bytes: base64('other') })).rejects.toMatchObject({
        code: 'conflict',
        details: { reason: 'exists', digest: done.digest },
      });
      expect(await call('attach_file', { ...wish, bytes: base64('other'), replace: true })).toMatchObject({
        changed: true,
      });
      await call('detach_file', { path: done.path });
      expect(await call('get_outgoing_links', { page })).toMatchObject({ links: [{ status: 'unresolved' }] });
      await expect(call('detach_file', { path: done.path })).rejects.toMatchObject({ code: 'not_found' });
      expect(await call('attach_file', { ...wish, bytes: undefined, blob: done.digest })).toMatchObject({
        changed: true,
      });
    });

    it.each([
      '',
      '.',
      '..',
      '../x',
      'a/b',
      'a\\b',
      'x.md',
      'x.MARKDOWN',
      'a\nb',
      'a:b',
      'x.',
      'a'.repeat(250),
      '.hidden',
    ])('are not called %j', async (name) => {
      const page = await create();
      await expect(call('attach_file', { page, name, bytes: '' })).rejects.toMatchObject({
        code: 'invalid_input',
        details: { field: 'name' },
      });
    });

    it('are refused when they are no bytes, too many or nowhere', async () => {
      const page = await create();
      for (const [more, code] of [
        [{}, 'invalid_input'],
        [{ bytes: '', blob: digestOf('x') }, 'invalid_input'],
        [{ bytes: 'not base64!' }, 'invalid_input'],
        [{ bytes: Buffer.alloc(6 * 1024 * 1024 + 1).toString('base64') }, 'payload_too_large'],
        [{ blob: digestOf('never sent') }, 'not_found'],
      ] as const)
        await expect(call('attach_file', { page, name: 'x.bin', ...more })).rejects.toMatchObject({ code });
    });

    it('of a canonical page are for an author to attach and detach', async () => {
      const page = await create('[[mine.bin]]');
      const { path } = await call('attach_file', { page, name: 'mine.bin', bytes: base64('m') });
      const { path: unlinked } = await call('attach_file', {
        page,
        name: 'unlinked.bin',
        bytes: base64('u'),
      });
      const bot = sluice.as({ name: 'bot', role: 'client', kind: 'agent', origin: 'agent-produced' });
      for (const [tool, input] of [
        ['attach_file', { page, name: 'bot.bin', bytes: base64('b') }],
        ['detach_file', { path }],
        ['detach_file', { path: unlinked }],
      ] as const) {
        const outcome = await bot.call(tool, input).catch((error) => error);
        expect(JSON.stringify(outcome)).toMatch(/review_required|proposal|denied/);
      }
      const { files } = await call('list_attachments', { under: page });
      expect((files as Answer[]).map((file) => file.path)).toEqual(['mine.bin', 'unlinked.bin']);
    });
  });
});

onEachStore('retention', (under) => {
  const home = temporaryFolder();
  let now = Date.UTC(2026, 0, 1);
  const clock: Clock = { now: () => now };
  const open = () =>
    composeApp({ home, config: loadConfig(home, {}, under.config()).config, log: silentLog, clock });
  const ask = async (app: App, name: string, input: Answer = {}): Promise<Answer> => {
    const outcome = await app.gateway.call({
      target: { kind: 'tool', name, arguments: input },
      presented: { kind: 'grant', grant: ownerGrant('admin') },
      claims: {},
      source: 'test',
    });
    if (!outcome.ok) throw outcome.error;
    return outcome.answer.kind === 'tool' ? { ...outcome.answer.structured } : {};
  };

  /** Until the first look after itself. */
  const openAndWait = async (): Promise<App> => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const app = await open();
    vi.advanceTimersByTime(61_000);
    vi.useRealTimers();
    return app;
  };
  const leaves = (app: App, titles: readonly string[]) =>
    vi.waitFor(async () => {
      const { batches } = await ask(app, 'list_trash');
      expect((batches as { pages: Answer[] }[]).map((batch) => batch.pages[0]?.title)).toEqual(titles);
    }, 30_000);

  it('[EDIT-22] empties the trash of what is thirty days old, by itself and recorded', async () => {
    if (!under.available()) return;
    let app = await open();
    for (const title of ['old', 'young']) {
      const { id } = await ask(app, 'create_page', { title });
      await ask(app, 'delete_page', { page: id });
      now += 20 * DAY;
    }
    await app.close();
    app = await openAndWait();
    await leaves(app, ['young']);
    expect(await ask(app, 'audit.list', { tool_name: 'purge_page' })).toMatchObject({
      records: [{ subject_type: 'system', status: 'success' }],
    });
    await app.close();
    await expectConsistent(home, under.config());
  });

  it('[EDIT-22] keeps what was deleted for as long as the owner sets', async () => {
    if (!under.available()) return;
    let app = await open();
    expect(await ask(app, 'set_trash_retention', { days: 15 })).toEqual({ days: 15 });
    await expect(ask(app, 'set_trash_retention', { days: 0 })).rejects.toMatchObject({
      code: 'invalid_input',
    });
    await app.close();
    app = await openAndWait();
    await leaves(app, []);
    await app.close();
  });
});

onEachStore('blobs that nobody needs', (under) => {
  const home = temporaryFolder();
  let test: TestStore;
  let blobs: BlobStore;
  let parts: CollectingParts;
  beforeAll(async () => {
    if (!under.available()) return;
    test = await openTestStore(under, home);
    blobs = createFileBlobStore(test.layout.blobs);
    const governance = await createGovernanceState({ units: test.store.units, store: test.store.governance });
    parts = { store: test.store, blobs, governance, clock: test.clock };
  });
  afterAll(() => test?.close());

  /** Kept a good while before the test's own time. */
  const keep = (text: string): string => {
    const { digest } = blobs.keep(Buffer.from(text), 1_000);
    const at = new Date(Date.UTC(2025, 0, 1));
    utimesSync(join(test.layout.blobs, digest.slice(7, 9), digest.slice(9)), at, at);
    return digest;
  };
  const attach = async (path: string, digest: string) => {
    const { store } = test;
    const workspace = await addWorkspace(test, path);
    const bytes = { digest, size: 1, mediaType: 'x/y', parts: [digest], broughtBy: null };
    const file = { path, zone: '', nameKey: path, ...bytes };
    await store.units.write({ workspace }, async (tx) => {
      await store.idleBlobs.claim(tx, [digest]);
      await store.files.attach(tx, workspace, [file]);
    });
    return () => store.units.write({ workspace }, (tx) => store.files.detach(tx, workspace, [file]));
  };

  it('[EDIT-23] go thirty days after the last file of that content did, and not before', async () => {
    const [used, lost] = [keep('used'), keep('lost')];
    const detach = await attach('a.bin', used);
    expect(await collectBlobs(parts)).toBe(0);
    test.clock.pass(29 * DAY);
    expect(await collectBlobs(parts)).toBe(0);
    test.clock.pass(2 * DAY);
    expect(await collectBlobs(parts)).toBe(1);
    expect([blobs.has(used), blobs.has(lost)]).toEqual([true, false]);
    await detach();
    expect(await collectBlobs(parts)).toBe(0);
    test.clock.pass(31 * DAY);
    const again = await attach('b.bin', used);
    expect(await collectBlobs(parts)).toBe(0);
    await again();
    await collectBlobs(parts);
    test.clock.pass(31 * DAY);
    expect(await collectBlobs(parts)).toBe(1);
    expect(blobs.has(used)).toBe(false);
  });

  it('[EDIT-23] stay when they are wanted or sent again at the last moment', async () => {
    const [wanted, sent] = [keep('wanted'), keep('sent')];
    await collectBlobs(parts);
    test.clock.pass(31 * DAY);
    utimesSync(
      join(test.layout.blobs, sent.slice(7, 9), sent.slice(9)),
      new Date(test.clock.now()),
      new Date(test.clock.now()),
    );
    const [taken] = await Promise.all([collectBlobs(parts), attach('late.bin', wanted)]);
    expect(blobs.has(sent)).toBe(true);
    // Either it was claimed before, or it was gone before anybody could look whether it is there.
    expect(blobs.has(wanted)).toBe(taken === 0);
    if (taken === 0) expect(await collectBlobs(parts)).toBe(0);
  });

  it('[EDIT-23] that are gone already, since a collector was killed, trouble nobody', async () => {
    const digest = keep('killed');
    await collectBlobs(parts);
    await blobs.remove(digest);
    test.clock.pass(31 * DAY);
    await collectBlobs(parts);
    expect(await test.store.units.read((scope) => test.store.idleBlobs.all(scope))).not.toContain(digest);
  });

  it('[EDIT-23] go as soon as the owner sets', async () => {
    const { units, governance: store } = test.store;
    const lost = keep('lost sooner');
    await units.write({}, (tx) => store.putSetting(tx, 'trash_retention_days', 10));
    const sooner = { ...parts, governance: await createGovernanceState({ units, store }) };
    await collectBlobs(sooner);
    test.clock.pass(9 * DAY);
    await collectBlobs(sooner);
    expect(blobs.has(lost)).toBe(true);
    test.clock.pass(2 * DAY);
    await collectBlobs(sooner);
    expect(blobs.has(lost)).toBe(false);
  });
});

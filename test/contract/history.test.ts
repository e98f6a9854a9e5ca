/** History, provenance and undoing a run: random work of several writers against a plain model, on every store. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectProvenance } from '../../src/app/collect-provenance.ts';
import { createSluice, type Sluice, type SluiceClient } from '../../src/app/create-sluice.ts';
import { SluiceError } from '../../src/kernel/errors.ts';
import { expectConsistent } from '../support/check-consistency.ts';
import { onEachStore } from '../support/each-store.ts';
import { type Random, randomFor, times } from '../support/random.ts';
import { withRawDatabase } from '../support/raw-database.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { addWorkspace, openTestStore, type TestStore } from '../support/test-store.ts';

type Answer = Record<string, unknown>;

onEachStore('history', (under) => {
  const home = temporaryFolder();
  let sluice: Sluice;
  beforeAll(async () => {
    if (under.available()) sluice = await createSluice({ home, config: under.config() });
  });
  afterAll(async () => {
    if (!under.available()) return;
    await sluice.close();
    await expectConsistent(home, under.config());
  });

  const writer = (name: string, run = 'own'): SluiceClient =>
    name.startsWith('bot')
      ? sluice.as({ name, run })
      : sluice.as({ name, role: 'editor', kind: 'author', origin: 'authored', run });

  /** Text in which every word says who wrote it. */
  class Page {
    readonly #random: Random;
    paragraphs: string[][];
    #words = 0;
    constructor(random: Random, by: string) {
      this.#random = random;
      this.paragraphs = Array.from({ length: 4 }, () => this.#sentence(by));
    }
    #sentence = (by: string): string[] => {
      this.#words += 6;
      return Array.from({ length: 6 }, (_, i) => `${by}${this.#words + i}`);
    };
    get text(): string {
      return `${this.paragraphs.map((words) => words.join(' ')).join('\n\n')}\n`;
    }
    edit(by: string): void {
      const all = this.paragraphs;
      const at = this.#random.between(0, all.length - 1);
      const own = all[at] ?? [];
      const acts = [
        () => all.splice(at, 0, this.#sentence(by)),
        () => own.push(...this.#sentence(by).slice(0, 3)),
        () => own.splice(this.#random.between(0, own.length), 0, ...this.#sentence(by).slice(0, 3)),
        () => own.length > 7 && all.splice(at, 1, own.slice(0, 4), own.slice(4)),
        () =>
          all.length > 1 &&
          all.splice(at === 0 ? 0 : at - 1, 2, [
            ...(all[at === 0 ? 0 : at - 1] ?? []),
            ...(all[at === 0 ? 1 : at] ?? []),
          ]),
        () => all.push(...all.splice(at, 1)),
        () => all.length > 3 && all.splice(at, 1),
      ];
      this.#random.pick(acts)();
    }
  }

  it('[HIST-04][HIST-05] names everybody whose words a block has, whatever they did to it', async () => {
    if (!under.available()) return;
    const random = randomFor(`provenance ${under.kind}`);
    const names = ['ann', 'botx', 'boty'];
    for (let round = 0; round < times(3, 60); round += 1) {
      const first = random.pick(names.slice(1));
      const page = new Page(random, first);
      const made = await writer(first).call('create_page', { title: `Words ${round}`, content: page.text });
      let version = made.version;
      for (let step = 0; step < times(8, 40); step += 1) {
        const by = random.pick(names);
        page.edit(by);
        const answer = await writer(by).call('update_page_content', {
          page: made.id,
          content: page.text,
          if_match: version,
        });
        version = answer.version;
        const { blocks } = await sluice.call('get_provenance', {
          page: made.id,
          blocks: true,
          max_tokens: 100_000,
        });
        const found = blocks as { text: string; origin: string; written_by: { actor: string }[] }[];
        expect(found).toHaveLength(page.paragraphs.length);
        for (const [i, words] of page.paragraphs.entries()) {
          const writers = new Set(found[i]?.written_by.map(({ actor }) => actor));
          for (const name of runsOf(words))
            expect(writers, `${name} in "${words.join(' ')}"`).toContain(name);
          const origins = new Set(
            [...writers].map((name) => (name.startsWith('bot') ? 'agent-produced' : 'authored')),
          );
          expect(found[i]?.origin).toBe(origins.size > 1 ? 'mixed' : [...origins][0]);
        }
      }
    }
  });

  /** Writers of three words in a row; fewer are anybody's. */
  function runsOf(words: readonly string[]): Set<string> {
    const names = words.map((word) => word.replace(/\d+$/, ''));
    const long = names.filter((name, i) => name === names[i + 1] && name === names[i + 2]);
    return new Set(long);
  }

  /** Everything that can be seen of the workspace but versions and times. */
  async function state(): Promise<Map<string, Answer>> {
    const seen = new Map<string, Answer>();
    for (let cursor: unknown; ; ) {
      const part = await sluice.call('export_pages', { ...(cursor !== undefined && { cursor }) });
      for (const { page } of part.files as { page: string }[]) {
        const read = await sluice.call('read_page', { page, max_tokens: 100_000 });
        const { id, title, slug, path, parent, content, icon, aliases, tags, properties } = read;
        const { blocks } = await sluice.call('get_provenance', { page, blocks: true, max_tokens: 100_000 });
        const writers = (blocks as { origin: string; written_by: { call: string }[] }[]).map(
          ({ origin, written_by }) => [origin, ...written_by.map(({ call }) => call)],
        );
        const links = (await sluice.call('get_outgoing_links', { page })).links as {
          status: string;
          target?: Answer;
        }[];
        const meant = links.map(({ status, target }) => [status, target?.id]);
        seen.set(String(id), {
          title,
          slug,
          path,
          parent,
          content,
          icon,
          aliases,
          tags,
          properties,
          writers,
          meant,
        });
      }
      cursor = part.next_cursor;
      if (cursor === undefined) break;
    }
    return seen;
  }

  class Work {
    readonly #random: Random;
    #made = 0;
    constructor(random: Random) {
      this.#random = random;
    }
    /** One random thing, by whoever; what is refused is refused. */
    async step(by: SluiceClient, prefix: string): Promise<void> {
      const random = this.#random;
      const ids = [...(await this.ids())];
      this.#made += 1;
      const title = `${prefix} ${random.pick(['ink', 'oak', 'elm'])} ${random.between(1, 6)}`;
      const page = random.pick([...ids, 'none']);
      const other = random.pick([...ids, null]);
      const link = `[[${random.pick(['ink', 'oak', 'elm'])} ${random.between(1, 6)}]]`;
      const act = random.pick<() => Promise<unknown>>([
        () => by.call('create_page', { title, content: `${title} is new\n\nsee ${link}\n`, parent: other }),
        () => this.#edit(by, page, prefix, link),
        () => this.#edit(by, page, prefix, link),
        () => by.call('rename_page', { page, title, keep_alias: random.oneIn(2) }),
        () => by.call('move_page', { page, parent: other, position: random.between(0, 2) }),
        () =>
          by.call('update_page_metadata', {
            page,
            icon: random.pick(['a', 'b', null]),
            ...(random.oneIn(2) && { title }),
          }),
        () => (random.oneIn(2) ? by.call('delete_page', { page }) : Promise.resolve()),
        () => this.#restore(by),
      ]);
      await act().catch((error: unknown) => {
        if (
          !(error instanceof SluiceError) ||
          !['conflict', 'not_found', 'invalid_input'].includes(error.code)
        )
          throw error;
      });
    }
    async ids(): Promise<Set<string>> {
      const { files } = await sluice.call('export_pages');
      return new Set((files as { page: string }[]).map(({ page }) => page));
    }
    async #edit(by: SluiceClient, page: string, prefix: string, link: string): Promise<void> {
      const { content, version } = await sluice.call('read_page', { page });
      const blocks = String(content).split('\n\n');
      const at = this.#random.between(0, blocks.length - 1);
      this.#random.pick([
        () => blocks.splice(at, 0, `${prefix} wrote this at ${this.#made} with ${link}`),
        () => blocks.splice(at, 1, `${(blocks[at] ?? '').trimEnd()} and ${prefix} ${this.#made}`),
        () => blocks.length > 1 && blocks.splice(at, 1),
      ])();
      await by.call('update_page_content', { page, content: blocks.join('\n\n'), if_match: version });
    }
    async #restore(by: SluiceClient): Promise<void> {
      const { batches } = await sluice.call('list_trash');
      const [batch] = this.#random.shuffle(batches as { batch: string }[]);
      if (batch) await by.call('restore_page', { batch: batch.batch });
    }
  }

  it('[HIST-10][HIST-12][HIST-13] undoing a run right after it is as if it had never been', async () => {
    if (!under.available()) return;
    const random = randomFor(`undo ${under.kind}`);
    const work = new Work(random);
    for (let i = 0; i < 8; i += 1) await work.step(writer('ann', 'before'), 'ann');
    for (let round = 0; round < times(3, 150); round += 1) {
      const before = await state();
      const run = `round-${round}`;
      for (let i = random.between(1, 8); i > 0; i -= 1) await work.step(writer('eve', run), 'eve');
      const { events } = await sluice.call('get_timeline', { run: `author:eve/${run}` });
      if ((events as unknown[]).length === 0) continue;
      const after = await state();
      const did = JSON.stringify(
        (await sluice.call('get_timeline', { run: `author:eve/${run}`, limit: 100 })).events,
        null,
        1,
      );
      const preview = await sluice.call('undo_run', { run: `author:eve/${run}`, dry_run: true });
      expect(await state()).toEqual(after);
      const done = await sluice.call('undo_run', { run: `author:eve/${run}` });
      const { undo_run: own, ...same } = done;
      expect({ ...same, dry_run: true }).toEqual(preview);
      expect(same.kept, `${did}\n${JSON.stringify(same, null, 1)}`).toBe(0);
      expect(await state(), did).toEqual(before);
      await sluice.call('undo_run', { run: `author:eve/${run}` });
      expect(await state(), did).toEqual(before);
      if (random.oneIn(2)) continue;
      const redone = await sluice.call('undo_run', { run: own });
      expect(redone.kept, `${did}\n${JSON.stringify(redone, null, 1)}`).toBe(0);
      expect(await state(), did).toEqual(after);
    }
  });

  it('[HIST-11] undoing a run never changes what others wrote since', async () => {
    if (!under.available()) return;
    const random = randomFor(`others ${under.kind}`);
    const work = new Work(random);
    for (let round = 0; round < times(3, 120); round += 1) {
      const run = `mixed-${round}`;
      for (let i = 0; i < 10; i += 1) {
        if (random.oneIn(2)) await work.step(writer('mal', run), 'mal');
        else await work.step(writer('ann', 'since'), 'ann');
      }
      const before = await state();
      const done = await sluice.call('undo_run', { run: `author:mal/${run}` }).catch(() => undefined);
      if (!done) continue;
      const after = await state();
      for (const [id, { content, title }] of before) {
        const theirs = String(content)
          .split('\n\n')
          .filter((block) => /\bann \d|ann wrote/.test(block) && !block.includes('mal'));
        if (theirs.length === 0) continue;
        const now = after.get(id);
        expect(now, `"${title}" went with ${theirs.join(' / ')}`).toBeDefined();
        for (const block of theirs)
          expect(wordsOf(String(now?.content)), `${block} in ${now?.content}`).toContain(wordsOf(block));
      }
    }
  });

  /** Links may be written otherwise. */
  const wordsOf = (text: string): string => text.replace(/\[\[[^\]]*\]\]/g, '[[…]]').trim();
});

onEachStore('the timeline', (under) => {
  it('[HIST-03] has every event once, newest first, in parts of any size', async () => {
    if (!under.available()) return;
    const sluice = await createSluice({ home: temporaryFolder(), config: under.config() });
    try {
      const bot = sluice.as({ name: 'bot', run: 'one' });
      for (let i = 0; i < 25; i += 1)
        await (i % 3 === 0 ? bot : sluice).call('create_page', { title: `P ${i}`, content: 'x' });
      await sluice.call('rename_page', { page: 'p-1', title: 'Renamed' });
      const all = async (
        wish: Answer,
      ): Promise<{ sequence: number; kind: string; by: string; page: string }[]> => {
        const found = [];
        for (let cursor: unknown; ; ) {
          const part = await sluice.call('get_timeline', {
            ...wish,
            ...(cursor !== undefined && { cursor }),
          });
          found.push(...(part.events as { sequence: number; kind: string; by: string; page: string }[]));
          cursor = part.next_cursor;
          if (cursor === undefined) return found;
        }
      };
      const whole = await all({ limit: 100 });
      const newest = whole[0]?.sequence ?? 0;
      expect(whole.map(({ sequence }) => sequence)).toEqual(
        Array.from({ length: newest }, (_, i) => newest - i),
      );
      for (const limit of [1, 7]) expect(await all({ limit })).toEqual(whole);
      expect(await all({ caller: 'bot' })).toEqual(whole.filter(({ by }) => by === 'bot'));
      expect(await all({ run: 'client:bot/one', limit: 4 })).toHaveLength(9);
      expect(await all({ kinds: ['page_renamed'] })).toMatchObject([
        { kind: 'page_renamed', title: 'Renamed' },
      ]);
      const { id } = await sluice.call('read_page', { page: 'renamed' });
      expect(await all({ page: 'renamed' })).toEqual(whole.filter(({ page }) => page === id));
      expect(await all({ since: '2999-01-01T00:00:00Z' })).toEqual([]);
      expect(await all({ since: '2000-01-01T00:00:00+02:00' })).toEqual(whole);
      await expect(sluice.call('get_timeline', { cursor: 'x' })).rejects.toMatchObject({
        code: 'invalid_input',
      });
    } finally {
      await sluice.close();
    }
  });
});

onEachStore('provenance outside', (under) => {
  let sluice: Sluice;
  beforeAll(async () => {
    if (under.available()) sluice = await createSluice({ home: temporaryFolder(), config: under.config() });
  });
  afterAll(() => sluice?.close());

  type Section = Record<string, Record<string, unknown>>;

  /** Every name that a relation mentions, by what it must be. */
  function unresolved(document: Record<string, Section>): string[] {
    const declared = (kind: string): Set<string> => new Set(Object.keys(document[kind] ?? {}));
    const known = { entity: declared('entity'), activity: declared('activity'), agent: declared('agent') };
    const roles: Record<string, keyof typeof known> = {
      'prov:entity': 'entity',
      'prov:generatedEntity': 'entity',
      'prov:usedEntity': 'entity',
      'prov:specificEntity': 'entity',
      'prov:generalEntity': 'entity',
      'prov:activity': 'activity',
      'prov:informed': 'activity',
      'prov:informant': 'activity',
      'prov:agent': 'agent',
      'prov:delegate': 'agent',
      'prov:responsible': 'agent',
    };
    return Object.entries(document)
      .filter(([kind]) => !['prefix', 'entity', 'activity', 'agent'].includes(kind))
      .flatMap(([kind, relations]) =>
        Object.values(relations).flatMap((one) =>
          Object.entries(one).flatMap(([role, name]) => {
            const must = roles[role];
            return must && !known[must].has(String(name)) ? [`${kind} ${role} ${name}`] : [];
          }),
        ),
      );
  }

  it('[HIST-16] is PROV-JSON in which every reference resolves, in parts and as a whole', async () => {
    if (!under.available()) return;
    const bot = sluice.as({ name: 'prov-bot', run: 'nightly' });
    const source = await sluice.call('create_page', { title: 'Source', content: 'one' });
    await bot.call('read_page', { page: source.id });
    const made = await bot.call('create_page', { title: 'Derived', content: 'x', derived_from: ['source'] });
    await sluice.call('update_page_content', {
      page: 'derived',
      content: 'x\n\ny\n',
      base_version: made.version,
    });
    await sluice.call('rename_page', { page: 'derived', title: 'Derived two' });
    await sluice.call('delete_page', { page: 'derived-two' });
    const { batches } = await sluice.call('list_trash');
    await sluice.call('restore_page', { batch: (batches as { batch: string }[])[0]?.batch });
    const { document } = await sluice.call('export_provenance', { page: 'derived-two' });
    const prov = document as Record<string, Section>;
    expect(unresolved(prov)).toEqual([]);
    const version = `sluice:page/${made.id}@${made.version}`;
    const from = `sluice:page/${source.id}@${source.version}`;
    const has = (kind: string, given: Answer) =>
      expect(Object.values(prov[kind] ?? {})).toContainEqual(expect.objectContaining(given));
    has('specializationOf', {
      'prov:specificEntity': version,
      'prov:generalEntity': `sluice:page/${made.id}`,
    });
    has('wasDerivedFrom', { 'prov:generatedEntity': version, 'prov:usedEntity': from });
    has('wasDerivedFrom', {
      'prov:usedEntity': version,
      'prov:type': { $: 'prov:Revision', type: 'prov:QUALIFIED_NAME' },
    });
    has('used', { 'prov:activity': 'sluice:run/client%3Aprov-bot%2Fnightly', 'prov:entity': from });
    has('wasAttributedTo', { 'prov:entity': version, 'prov:agent': 'sluice:agent/client%3Aprov-bot' });
    has('actedOnBehalfOf', {
      'prov:delegate': 'sluice:agent/client%3Aprov-bot',
      'prov:responsible': 'sluice:agent/owner',
    });
    has('wasInvalidatedBy', { 'sluice:kind': 'page_trashed' });
    expect(prov.agent?.['sluice:agent/owner']).toMatchObject({ 'prov:type': { $: 'prov:Person' } });
    const ofRun = await sluice.call('export_provenance', { run: 'client:prov-bot/nightly' });
    expect(unresolved(ofRun.document as Record<string, Section>)).toEqual([]);
    await expect(sluice.call('export_provenance', { run: 'nobody/never' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('[HIST-16] comes in parts that stand for themselves', async () => {
    if (!under.available()) return;
    let { version } = await sluice.call('create_page', { title: 'Long history', content: '0' });
    for (let i = 1; i <= 220; i += 1)
      ({ version } = await sluice.call('update_page_content', {
        page: 'long-history',
        content: `${i}`,
        base_version: version,
      }));
    const first = await sluice.call('export_provenance', { page: 'long-history' });
    const { next_cursor: cursor } = first;
    const second = await sluice.call('export_provenance', { page: 'long-history', cursor });
    expect(second.next_cursor).toBeUndefined();
    for (const { document } of [first, second])
      expect(unresolved(document as Record<string, Section>)).toEqual([]);
    const whole = await collectProvenance((tool, wish) => sluice.call(tool, wish), { page: 'long-history' });
    expect(unresolved(whole as Record<string, Section>)).toEqual([]);
    expect(Object.keys(whole.wasGeneratedBy ?? {})).toHaveLength(221);
  });

  it('[HIST-18] says to others neither that a run was there nor what it read', async () => {
    if (!under.available()) return;
    const [one, two] = [sluice.as({ name: 'one', run: 'r' }), sluice.as({ name: 'two', run: 'r' })];
    await sluice.call('create_page', { title: 'Read only by one', content: 'x' });
    await one.call('read_page', { page: 'read-only-by-one' });
    await one.call('create_page', { title: 'Of one', content: 'x' });
    const asked = await two
      .call('export_provenance', { run: 'client:one/r' })
      .catch((error: unknown) => error);
    const absent = await two
      .call('export_provenance', { run: 'client:one/s' })
      .catch((error: unknown) => error);
    expect(String(asked).replace('one/r', 'one/s')).toBe(String(absent));
    const { document } = await two.call('export_provenance', { page: 'of-one' });
    expect(document).not.toHaveProperty('used');
    expect((await one.call('export_provenance', { page: 'of-one' })).document).toHaveProperty('used');
  });

  it('[HIST-17] stands once in the frontmatter of an export that asks for it, and else nowhere', async () => {
    if (!under.available()) return;
    const texts = {
      Plain: 'No end of line',
      Fronted: '---\ntitle: x\r\n---\r\nBody\r\n',
      Empty: '',
      Broken: '---\nnever closed\n',
      Marked: '\ufeffText',
    };
    for (const [title, content] of Object.entries(texts))
      await sluice.call('create_page', { title, content });
    const exported = async (more: Answer) =>
      new Map(
        ((await sluice.call('export_pages', more)).files as { path: string; text: string }[]).map((file) => [
          file.path,
          file.text,
        ]),
      );
    const [as, bare] = [await exported({ provenance: true }), await exported({})];
    for (const [title, content] of Object.entries(texts)) {
      const text = as.get(`${title}.md`) ?? '';
      expect(bare.get(`${title}.md`)).toBe(content);
      expect(text.match(/^sluice_origin: "authored"\r?$/gm)).toHaveLength(1);
      const without = text.replace(/^sluice_[a-z_]+:.*\r?\n/gm, '');
      expect([content, content.replace(/^(\ufeff?)/, '$1---\n---\n')]).toContain(without);
    }
    // Once more through it, as after importing what was exported.
    const { version } = await sluice.call('read_page', { page: 'plain' });
    await sluice.call('update_page_content', {
      page: 'plain',
      content: as.get('Plain.md'),
      base_version: version,
    });
    const again = (await exported({ provenance: true })).get('Plain.md') ?? '';
    expect(again.match(/^sluice_version:/gm)).toHaveLength(1);
  });
});

onEachStore('text from before provenance was kept', (under) => {
  it('[HIST-07] is unknown, and mixed once somebody changes it', async () => {
    if (!under.available()) return;
    const home = temporaryFolder();
    const first = await createSluice({ home, config: under.config() });
    await first.call('create_page', { title: 'Old', content: 'one of old\n\ntwo of old\n' });
    await first.close();
    await withRawDatabase(home, under.config(), async (database) => {
      await database.run('delete from block_provenance');
      await database.run('delete from attribution');
    });
    const sluice = await createSluice({ home, config: under.config() });
    try {
      const writers = async () => {
        const { blocks, origins } = await sluice.call('get_provenance', { page: 'old', blocks: true });
        expect((origins as Answer).authored).toBe(0);
        return (blocks as { origin: string; written_by: { actor: string }[] }[]).map(
          ({ origin, written_by }) => [origin, ...written_by.map(({ actor }) => actor)].join(' '),
        );
      };
      expect(await writers()).toEqual(['unknown', 'unknown']);
      const { version } = await sluice.call('read_page', { page: 'old' });
      const content = 'one of old\n\ntwo of old and new\n';
      await sluice.call('update_page_content', { page: 'old', content, base_version: version });
      expect(await writers()).toEqual(['unknown', 'mixed owner']);
    } finally {
      await sluice.close();
    }
  });
});

describe('parts of units', () => {
  onEachStore('a part of a unit', (under) => {
    let test: TestStore;
    beforeAll(async () => {
      if (under.available()) test = await openTestStore(under, temporaryFolder());
    });
    afterAll(() => test?.close());

    it('[HIST-15] that is refused leaves nothing, and the unit goes on', async () => {
      if (!under.available()) return;
      const told: string[] = [];
      const first = await addWorkspace(test, 'First');
      const { store, ids } = test;
      const add = (tx: Parameters<Parameters<typeof store.units.write>[1]>[0], name: string) =>
        store.workspaces.insert(tx, { id: ids.next(), name, createdAt: 1, openedAt: 1 });
      await store.units.write({ workspace: first }, async (tx) => {
        await add(tx, 'before');
        const part = tx.attempt(async () => {
          await add(tx, 'inside');
          tx.afterCommit(() => void told.push('inside'));
          await tx.attempt(() => add(tx, 'deeper'));
          throw new SluiceError('conflict', 'no');
        });
        await expect(part).rejects.toMatchObject({ code: 'conflict' });
        await tx.attempt(async () => {
          await add(tx, 'kept');
          tx.afterCommit(() => void told.push('kept'));
        });
      });
      const names = (await store.units.read((scope) => store.workspaces.all(scope))).map(({ name }) => name);
      expect(names.sort()).toEqual(['First', 'before', 'kept']);
      expect(told).toEqual(['kept']);
    });
  });
});

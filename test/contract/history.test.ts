/** History, provenance and undoing a run: random work of several writers against a plain model, on every store. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createSluice, type Sluice, type SluiceClient } from '../../src/app/create-sluice.ts';
import { SluiceError } from '../../src/kernel/errors.ts';
import { expectConsistent } from '../support/check-consistency.ts';
import { onEachStore } from '../support/each-store.ts';
import { type Random, randomFor, soaking, times } from '../support/random.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { UNLIMITED } from '../support/unlimited.ts';

vi.setConfig({ testTimeout: soaking ? 3_600_000 : 60_000 });

type Answer = Record<string, unknown>;

onEachStore('history', (under) => {
  const home = temporaryFolder();
  let sluice: Sluice;
  beforeAll(async () => {
    if (under.available()) sluice = await createSluice({ home, config: { ...under.config(), ...UNLIMITED } });
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

  it('[HIST-10][HIST-12][HIST-13] undoing a run right after it is as if it had never been', async ({
    signal,
  }) => {
    if (!under.available()) return;
    const random = randomFor(`undo ${under.kind}`);
    const work = new Work(random);
    for (let i = 0; i < 8; i += 1) await work.step(writer('ann', 'before'), 'ann');
    for (let round = 0; round < times(3, 150); round += 1) {
      // One that ran out of time must not go on beside the next.
      signal.throwIfAborted();
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

  it('[HIST-11] undoing a run never changes what others wrote since', async ({ signal }) => {
    if (!under.available()) return;
    const random = randomFor(`others ${under.kind}`);
    const work = new Work(random);
    for (let round = 0; round < times(3, 120); round += 1) {
      signal.throwIfAborted();
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
        if (!now && (await hadBroughtBack(id, run))) continue;
        expect(now, `"${title}" went with ${theirs.join(' / ')}`).toBeDefined();
        for (const block of theirs)
          expect(wordsOf(String(now?.content)), `${block} in ${now?.content}`).toContain(wordsOf(block));
      }
    }
  });

  /** It lay in the trash before the run took it out, and nobody else has touched it since. */
  async function hadBroughtBack(page: string, run: string): Promise<boolean> {
    const { events } = await sluice.call('get_timeline', { limit: 100 });
    const own = (events as { page: string; kind: string; by: string; run: string }[]).filter(
      (event) => event.page === page,
    );
    const back = own.findIndex(
      (event) => event.kind === 'page_restored' && event.run === `author:mal/${run}`,
    );
    return back >= 0 && own.slice(0, back).every(({ by }) => by !== 'ann');
  }

  /** Links may be written otherwise. */
  const wordsOf = (text: string): string => text.replace(/\[\[[^\]]*\]\]/g, '[[…]]').trim();

  // Last, because the others look at every page again and again.
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
});

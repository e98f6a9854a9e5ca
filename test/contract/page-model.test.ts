/** Random days in a workspace, step by step against a model that is simple enough to be obviously right. */
import { expect, it, vi } from 'vitest';
import type { Sluice, SluiceClient } from '../../src/app/create-sluice.ts';
import { SluiceError } from '../../src/kernel/errors.ts';
import { compareThroughTools, compareWithStore, type PageRow, pageRows } from '../support/compare-pages.ts';
import { onEachStore, type StoreUnderTest } from '../support/each-store.ts';
import { useModelHome } from '../support/model-home.ts';
import {
  fold,
  linksOf,
  type ModelPage,
  merge,
  onlyAdds,
  PageModel,
  paragraphsOf,
  slugify,
  textOf,
  withoutPaths,
} from '../support/page-model.ts';
import { type Random, randomFor, soaking, times } from '../support/random.ts';
import { RandomPageTexts, TITLES } from '../support/random-page-texts.ts';
import type { RawDatabase } from '../support/raw-database.ts';
import { testSeed } from '../support/seed.ts';

vi.setConfig(soaking ? { testTimeout: 3_600_000 } : { testTimeout: 180_000 });

const RUNS = times(40, 400);
const STEPS = times(30, 60);

type Answer = Record<string, unknown>;
type Wish =
  | { refused: readonly string[] }
  /** Called with the answer once it is there; brings the model to where the workspace should be. */
  | { lands(answer: Answer): void }
  /** The rules allow either; `lands` also checks what came of it. */
  | { refused: readonly string[]; lands(answer: Answer): void };

onEachStore('a workspace under random use', (under) => {
  const at = useModelHome(under);

  it(`[STORE-28] does in ${RUNS} runs of ${STEPS} steps what the model does, and is consistent at the end`, async () => {
    for (let run = 0; run < RUNS; run += 1) {
      const day = await Day.begin(at.sluice(), at.raw(), under, run);
      await day.live();
    }
    await at.closeConsistent();
  });
});

/** One run in a workspace of its own. */
class Day {
  readonly #model = new PageModel();
  readonly #random: Random;
  readonly #raw: RawDatabase;
  readonly #workspace: string;
  readonly #author: SluiceClient;
  readonly #agent: SluiceClient;
  readonly #trace: string[];
  readonly #texts: RandomPageTexts;

  private constructor(sluice: Sluice, raw: RawDatabase, workspace: string, run: number) {
    this.#random = randomFor(`a day ${run}`);
    this.#raw = raw;
    this.#texts = new RandomPageTexts(this.#random, this.#model);
    this.#workspace = workspace;
    this.#author = sluice.as({ name: 'ann', role: 'owner', kind: 'author', origin: 'authored', workspace });
    this.#agent = sluice.as({ name: 'bot', role: 'agent', kind: 'agent', workspace });
    this.#trace = [`seed ${testSeed()}, run ${run}`];
  }

  static async begin(sluice: Sluice, raw: RawDatabase, under: StoreUnderTest, run: number): Promise<Day> {
    const name = `day ${run} on ${under.kind}`;
    const made = await sluice.call('workspace.create', { name });
    await sluice.call('workspace.open', { workspace: name });
    return new Day(sluice, raw, String((made.workspace as Answer).id), run);
  }

  async live(): Promise<void> {
    try {
      for (let step = 0; step < STEPS; step += 1) await this.#step();
      await compareThroughTools(this.#model, this.#author, this.#random);
    } catch (error) {
      throw new Error(`After these steps:\n${this.#trace.join('\n')}`, { cause: error });
    }
  }

  async #step(): Promise<void> {
    const live = this.#model.live();
    const weights: [number, () => Promise<void>][] = [
      [live.length < 4 ? 12 : 3, () => this.#create()],
      [live.length > 0 ? 6 : 0, () => this.#update(this.#pickLive())],
      [live.length > 0 ? 2 : 0, () => this.#metadata(this.#pickLive())],
      [live.length > 0 ? 4 : 0, () => this.#rename(this.#pickLive())],
      [live.length > 0 ? 4 : 0, () => this.#move(this.#pickLive())],
      [live.length > 2 ? 2 : 0, () => this.#trash(this.#pickLive())],
      [this.#model.batches.size > 0 ? 3 : 0, () => this.#restore()],
    ];
    const all = weights.flatMap(([weight, act]) => Array<() => Promise<void>>(weight).fill(act));
    await this.#random.pick(all)();
  }

  #pickLive = (): ModelPage => this.#random.pick(this.#model.live());

  /** Makes the call, holds its outcome against the wish, and the whole workspace against the model. */
  async #call(byAgent: boolean, tool: string, input: Answer, wish: Wish, rewrites = false): Promise<void> {
    this.#trace.push(`${byAgent ? 'agent ' : 'author'} ${tool} ${JSON.stringify(input)}`);
    const before = new Map(this.#model.live().map((page) => [page.id, page.content]));
    const meant = rewrites ? this.#meanings() : undefined;
    const canonical = this.#model
      .live()
      .filter((page) => page.lifecycle === 'canonical')
      .map((page) => page.id);
    const renames = byAgent && ['rename_page', 'move_page'].includes(tool);
    const expected = 'refused' in wish ? wish.refused : renames ? this.#reasonsForAgent() : [];
    const waits = expected.includes('review_required');
    let answer: Answer;
    try {
      answer = await (byAgent ? this.#agent : this.#author).call(tool, input);
    } catch (error) {
      if (!(error instanceof SluiceError)) throw error;
      this.#trace.push(`  refused: ${error.code} ${String(error.details.reason ?? '')}`);
      // What could not land anyway is not put up for review either.
      const reasons = waits ? [...expected, 'conflict', 'not_found'] : expected;
      expect(reasons, `refused: ${error.message}`).toContain(error.code);
      await compareWithStore(this.#model, this.#raw, this.#workspace);
      return;
    }
    if ('proposal' in answer) {
      this.#trace.push('  proposed');
      expect(waits, 'it should not need review').toBe(true);
      this.#model.page(String((answer.proposal as Answer).page)).events += 1;
      await compareWithStore(this.#model, this.#raw, this.#workspace);
      return;
    }
    if (waits && answer.changed === false) {
      await compareWithStore(this.#model, this.#raw, this.#workspace);
      return;
    }
    if (!('lands' in wish)) expect.fail(`it should be refused as ${wish.refused.join(' or ')}`);
    this.#rows = await pageRows(this.#raw, this.#workspace);
    wish.lands(answer);
    if (meant) await this.#followRewrites(before, meant, answer, input);
    if (byAgent && rewrites) {
      const rows = new Map((await pageRows(this.#raw, this.#workspace)).map((row) => [row.id, row.content]));
      for (const page of canonical) expect(rows.get(page), 'canonical text').toBe(before.get(page));
    }
    await compareWithStore(this.#model, this.#raw, this.#workspace);
  }

  /** A link in a canonical page may be one that would have to be rewritten. */
  #reasonsForAgent(): string[] {
    const linking = this.#model
      .live()
      .some((page) => page.lifecycle === 'canonical' && linksOf(page.content).length > 0);
    return linking ? ['review_required'] : [];
  }

  #meanings(): Map<string, ({ page: string } | undefined)[]> {
    return new Map(
      this.#model.live().map((page) => [
        page.id,
        linksOf(page.content).map(({ path, kind }) => {
          const meaning = kind === 'page' ? this.#model.meaning(page, path) : 'unresolved';
          return typeof meaning === 'object' ? meaning : undefined;
        }),
      ]),
    );
  }

  /** After a rename or move: every link means the page it meant, and only links that had to were written anew. */
  async #followRewrites(
    before: ReadonlyMap<string, string>,
    meant: ReadonlyMap<string, ({ page: string } | undefined)[]>,
    answer: Answer,
    input: Answer,
  ): Promise<void> {
    const skipped = new Set((answer.skipped as { page: string }[]).map(({ page }) => page));
    for (const row of await pageRows(this.#raw, this.#workspace)) {
      const page = this.#model.page(row.id);
      const old = before.get(row.id);
      if (old === undefined || row.trash_batch !== null) continue;
      const [links, now] = [linksOf(old), linksOf(row.content)];
      expect(withoutPaths(row.content), 'nothing but paths is rewritten').toBe(withoutPaths(old));
      for (const [i, link] of links.entries()) {
        const target = meant.get(row.id)?.[i];
        const path = now[i]?.path ?? '';
        if (target === undefined) {
          expect(path, 'a link that meant nothing is left as it was').toBe(link.path);
          continue;
        }
        if (!skipped.has(row.id))
          expect(this.#model.meaning(page, path), `"${link.path}" in "${page.title}"`).toEqual(target);
        const stays = this.#model.meaning(page, link.path);
        // An alias is for links from outside: those inside are rewritten although it would serve them.
        if (input.keep_alias !== true && typeof stays === 'object' && stays.page === target.page)
          expect(path, 'a link that still means the same is left as it was').toBe(link.path);
      }
      if (row.content === old) continue;
      this.#changeText(page, row.content, row.version);
    }
  }

  #changeText(page: ModelPage, content: string, version: string): void {
    expect(page.texts.has(version), 'a new text has a new version').toBe(false);
    page.content = content;
    page.version = version;
    page.texts.set(version, content);
    page.events += 1;
  }

  async #create(): Promise<void> {
    const random = this.#random;
    const byAgent = random.oneIn(3);
    const parent = this.#model.live().length > 0 && !random.oneIn(3) ? this.#pickLive().id : null;
    const title = random.pick(TITLES);
    const content = textOf(Array.from({ length: random.between(0, 4) }, () => this.#texts.paragraph()));
    const slug = this.#model.freeSlug(parent, slugify(title));
    await this.#call(
      byAgent,
      'create_page',
      { title, content, parent },
      {
        lands: (answer) => {
          expect(answer).toMatchObject({ title, slug, parent });
          const page: ModelPage = {
            id: String(answer.id),
            lifecycle: byAgent ? 'candidate' : 'canonical',
            origin: byAgent ? 'agent-produced' : 'authored',
            title,
            slug,
            icon: null,
            parent,
            content,
            version: String(answer.version),
            aliases: [],
            batch: null,
            texts: new Map([[String(answer.version), content]]),
            events: 1,
            placedAt: 0,
            lastMeant: new Map(),
          };
          this.#model.pages.set(page.id, page);
          this.#model.place(page, parent);
        },
      },
    );
  }

  /** With the current version, an earlier one, one it never had, or none at all. */
  async #update(page: ModelPage): Promise<void> {
    const random = this.#random;
    const byAgent = random.oneIn(3);
    const [baseVersion, baseText] = random.pick([...page.texts]);
    const fresh = random.oneIn(2);
    const base = fresh ? page.version : baseVersion;
    const content = this.#texts.edited(fresh ? page.content : baseText);
    const kind = random.between(1, 10);
    const input: Answer = { page: page.id, content };
    if (kind === 1) input.if_match = base;
    else if (kind === 2) input.base_version = this.#pickLive().version;
    else if (kind !== 3) input.base_version = base;
    await this.#call(
      byAgent,
      'update_page_content',
      input,
      this.#wishOfUpdate(byAgent, page, content, input),
    );
  }

  #wishOfUpdate(byAgent: boolean, page: ModelPage, content: string, input: Answer): Wish {
    if (byAgent && page.lifecycle === 'canonical') return { refused: ['review_required'] };
    const lands = (text: string) => (answer: Answer) => {
      expect(answer.changed).toBe(text !== page.content);
      expect(answer.merged).toBe(text !== content);
      if (text !== page.content) this.#changeText(page, text, String(answer.version));
    };
    if (content === page.content && (input.if_match === undefined || input.if_match === page.version))
      return { lands: lands(content) };
    if (input.if_match !== undefined && input.if_match !== page.version) return { refused: ['conflict'] };
    const base = input.base_version ?? input.if_match;
    if (base === page.version) return { lands: lands(content) };
    if (base === undefined) {
      return onlyAdds(page.content, content) ? { lands: lands(content) } : { refused: ['conflict'] };
    }
    const baseText = page.texts.get(String(base));
    if (baseText === undefined) return { refused: ['not_found'] };
    // Going back to the base, or on from a head that went back to it, is no change of one side.
    if (page.content === baseText) return { lands: lands(content) };
    if (content === baseText) return { lands: lands(page.content) };
    const merged = merge(baseText, page.content, content);
    if (merged === 'conflict') return { refused: ['conflict'] };
    if (merged !== 'unclear') return { lands: lands(merged.text) };
    return { refused: ['conflict'], lands: (answer) => this.#landUnclear(page, baseText, content, answer) };
  }

  /** Whatever came of it, nobody's paragraph is lost or doubled. */
  #landUnclear(page: ModelPage, base: string, mine: string, answer: Answer): void {
    const { content, version } = this.#pending(page.id);
    const [before, theirs, ours, now] = [base, page.content, mine, content].map(
      (text) => new Map(paragraphsOf(text).map((one) => [one.split(' ')[0] ?? '', one])),
    ) as [Map<string, string>, Map<string, string>, Map<string, string>, Map<string, string>];
    expect(now.size).toBe(paragraphsOf(content).length);
    for (const id of new Set([...theirs.keys(), ...ours.keys()])) {
      const [was, a, b] = [before.get(id), theirs.get(id), ours.get(id)];
      if (a !== was && b === was) expect(now.get(id), id).toBe(a);
      if (b !== was && a === was) expect(now.get(id), id).toBe(b);
    }
    if (answer.changed) this.#changeText(page, content, version);
  }

  /** The row as it is in the store, for what the model cannot foretell. */
  #pending(id: string): { content: string; version: string } {
    const row = this.#rows.find((one) => one.id === id);
    if (!row) throw new Error(`There is no page ${id}`);
    return row;
  }
  #rows: readonly PageRow[] = [];

  async #metadata(page: ModelPage): Promise<void> {
    const byAgent = this.#random.oneIn(3);
    const title = this.#random.oneIn(2) ? this.#random.pick(TITLES) : undefined;
    const icon = this.#random.oneIn(2) ? this.#random.pick(['🚀', null]) : undefined;
    const wish: Wish =
      byAgent && page.lifecycle === 'canonical'
        ? { refused: ['review_required'] }
        : {
            lands: (answer) => {
              const changes =
                (title !== undefined && title !== page.title) || (icon !== undefined && icon !== page.icon);
              expect(answer.changed).toBe(changes);
              if (title !== undefined) page.title = title;
              if (icon !== undefined) page.icon = icon;
              if (changes) page.events += 1;
            },
          };
    await this.#call(byAgent, 'update_page_metadata', { page: page.id, title, icon }, wish);
  }

  async #rename(page: ModelPage): Promise<void> {
    const random = this.#random;
    const byAgent = random.oneIn(4);
    const [title, dry_run, keep_alias] = [random.pick(TITLES), random.oneIn(6), random.oneIn(4)];
    await this.#call(
      byAgent,
      'rename_page',
      { page: page.id, title, dry_run, keep_alias },
      this.#wishOfRename(byAgent, page, title, dry_run, keep_alias),
      !dry_run,
    );
  }

  #wishOfRename(byAgent: boolean, page: ModelPage, title: string, dryRun: boolean, keepAlias: boolean): Wish {
    if (byAgent && page.lifecycle === 'canonical') return { refused: ['review_required'] };
    const same = title === page.title;
    const answersTo = (other: ModelPage): boolean =>
      [other.title, other.slug, ...other.aliases].some(
        (name) => name.toLowerCase() === page.title.toLowerCase(),
      );
    const collides = this.#model.live().some((other) => other !== page && answersTo(other));
    if (keepAlias && !same && collides) return { refused: ['conflict'] };
    const slug =
      slugify(title) === slugify(page.title)
        ? page.slug
        : this.#model.freeSlug(page.parent, slugify(title), page.id);
    if (byAgent && slug !== page.slug && this.#holdsCanonical(page)) return { refused: ['review_required'] };
    return {
      lands: (answer) => {
        expect(answer.changed).toBe(!same && !dryRun);
        if (same || dryRun) return;
        const kept = keepAlias ? [...page.aliases, page.title] : page.aliases;
        // Each name once, and none that is the title.
        const names = new Map(kept.toReversed().map((alias) => [fold(alias), alias]));
        names.delete(fold(title));
        page.aliases = [...names.values()];
        page.slug = slug;
        page.title = title;
        page.events += 1;
        expect(answer.slug).toBe(page.slug);
      },
    };
  }

  #holdsCanonical = (page: ModelPage): boolean =>
    this.#model.subtree(page.id).some((one) => one.lifecycle === 'canonical');

  async #move(page: ModelPage): Promise<void> {
    const random = this.#random;
    const byAgent = random.oneIn(4);
    const parent = random.oneIn(4) ? null : this.#pickLive().id;
    const position = random.oneIn(2) ? random.between(0, 4) : undefined;
    await this.#call(
      byAgent,
      'move_page',
      { page: page.id, parent, position },
      this.#wishOfMove(byAgent, page, parent, position),
      true,
    );
  }

  #wishOfMove(byAgent: boolean, page: ModelPage, parent: string | null, position: number | undefined): Wish {
    if (byAgent && page.lifecycle === 'canonical') return { refused: ['review_required'] };
    if (parent !== null && this.#model.isBelow(this.#model.page(parent), page.id))
      return { refused: ['conflict'] };
    if (byAgent && page.parent !== parent && this.#holdsCanonical(page))
      return { refused: ['review_required'] };
    return {
      lands: (answer) => {
        const stays = page.parent === parent;
        const before = [...this.#model.siblings(parent)];
        if (!stays) page.slug = this.#model.freeSlug(parent, page.slug);
        if (!stays || position !== undefined) this.#model.place(page, parent, position);
        const changed = !stays || this.#model.siblings(parent).join() !== before.join();
        expect(answer.changed).toBe(changed);
        if (changed) page.events += 1;
      },
    };
  }

  async #trash(page: ModelPage): Promise<void> {
    const byAgent = this.#random.oneIn(3);
    const gone = this.#model.subtree(page.id);
    const wish: Wish =
      byAgent && gone.some((one) => one.lifecycle === 'canonical')
        ? { refused: ['review_required'] }
        : {
            lands: (answer) => {
              expect(answer.count).toBe(gone.length);
              const batch = String(answer.batch);
              const places = new Map(
                gone.map((one) => [
                  one.id,
                  { parent: one.parent, slug: one.slug, order: [...this.#model.siblings(one.parent)] },
                ]),
              );
              this.#model.batches.set(batch, { id: batch, at: this.#model.now(), places });
              for (const one of gone) {
                this.#model.unplace(one);
                one.batch = batch;
                one.events += 1;
              }
            },
          };
    await this.#call(byAgent, 'delete_page', { page: page.id }, wish);
  }

  /** A whole batch or one page of it; also what was restored already. */
  async #restore(): Promise<void> {
    const random = this.#random;
    const byAgent = random.oneIn(4);
    const batch = random.pick([...this.#model.batches.values()]);
    const inside = [...batch.places.keys()].map((id) => this.#model.page(id));
    const left = inside.filter((page) => page.batch === batch.id);
    if (random.oneIn(2)) {
      await this.#call(byAgent, 'restore_page', { batch: batch.id }, this.#wishOfRestore(byAgent, left));
      return;
    }
    const page = random.pick(inside);
    const chosen = page.batch === null ? [] : this.#trashedBelow(page);
    await this.#call(byAgent, 'restore_page', { page: page.id }, this.#wishOfRestore(byAgent, chosen));
  }

  /** The page and what went to the trash with it from below it. */
  #trashedBelow(root: ModelPage): ModelPage[] {
    const found = [root];
    for (const page of found) {
      for (const one of this.#model.pages.values())
        if (one.parent === page.id && one.batch === root.batch) found.push(one);
    }
    return found;
  }

  #wishOfRestore(byAgent: boolean, chosen: readonly ModelPage[]): Wish {
    if (chosen.length === 0) return { refused: ['conflict'] };
    if (byAgent && chosen.some((page) => page.lifecycle === 'canonical'))
      return { refused: ['review_required'] };
    return {
      lands: (answer) => {
        expect(answer.count).toBe(chosen.length);
        const rest = new Set(chosen);
        while (rest.size > 0) {
          for (const page of rest) {
            const batch = this.#model.batches.get(page.batch ?? '');
            const place = batch?.places.get(page.id);
            if (!batch || !place) throw new Error('The model lost a place');
            if ([...rest].some((other) => other !== page && other.id === place.parent)) continue;
            rest.delete(page);
            const parent = this.#model.nearestLive(place.parent);
            page.batch = null;
            page.slug = this.#model.freeSlug(parent, place.slug);
            this.#placeAsItWas(page, parent, place.order, batch.at);
            page.events += 1;
          }
        }
      },
    };
  }

  /** Where it stands is the store's choice, as long as it is on the same side of those that stood beside it. */
  #placeAsItWas(page: ModelPage, parent: string | null, order: readonly string[], since: number): void {
    const row = this.#rows.find((one) => one.id === page.id);
    const siblings = this.#rows
      .filter(
        (one) => one.parent_id === parent && one.trash_batch === null && row && one.position < row.position,
      )
      .map((one) => one.id);
    const list = this.#model.siblings(parent);
    const index = list.filter((id) => siblings.includes(id)).length;
    if (page.parent === parent) {
      const stood = (id: string): boolean => list.includes(id) && this.#model.page(id).placedAt < since;
      const then = order.filter((id) => id === page.id || stood(id));
      const now = [...list.slice(0, index), page.id, ...list.slice(index)].filter((id) => then.includes(id));
      expect(now, 'a restored page is between the neighbours it had').toEqual(then);
    }
    this.#model.place(page, parent, index);
  }
}

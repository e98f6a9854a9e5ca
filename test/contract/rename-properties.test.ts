/** Random renames, moves, deletions and new pages in small vaults of many equal names, judged by a model that only reads. */
import { expect, it, vi } from 'vitest';
import type { Sluice, SluiceClient } from '../../src/app/create-sluice.ts';
import { SluiceError } from '../../src/kernel/errors.ts';
import { onEachStore } from '../support/each-store.ts';
import { type FormedText, formedText, pathsIn } from '../support/link-forms.ts';
import { useModelHome } from '../support/model-home.ts';
import { type Meaning, type ModelPage, PageModel } from '../support/page-model.ts';
import { type Random, randomFor, soaking, times } from '../support/random.ts';
import type { RawDatabase } from '../support/raw-database.ts';
import { testSeed } from '../support/seed.ts';

vi.setConfig({ testTimeout: soaking ? 3_600_000 : 240_000 });

const RUNS = times(12, 250);
const STEPS = times(14, 30);

/** Equal up to case, composition or slug, some with what means something in a link. */
const TITLES = [
  'Note',
  'note',
  'Topic A',
  'topic-a',
  'Caf\u00e9',
  'Cafe\u0301',
  'Q&A (old)',
  'C# Notes',
  "It's",
  '漢字 1',
];

type Answer = Record<string, unknown>;

interface Row {
  readonly id: string;
  readonly title: string;
  readonly slug: string;
  readonly parent_id: string | null;
  readonly content: string;
  readonly version: string;
  readonly trash_batch: string | null;
  readonly origin: string;
  readonly lifecycle: string;
}

onEachStore('renames and moves at random', (under) => {
  const at = useModelHome(under);

  it(`[LINK-35][LINK-36][LINK-37] keep every link's meaning and every other byte, as foretold, in ${RUNS} vaults`, async () => {
    for (let run = 0; run < RUNS; run += 1) {
      const name = `vault ${run}`;
      const made = await at.sluice().call('workspace.create', { name });
      await at.sluice().call('workspace.open', { workspace: name });
      const workspace = String((made.workspace as Answer).id);
      await new Vault(at.sluice(), at.raw(), workspace, run).live();
    }
    await at.closeConsistent();
  });
});

class Vault {
  readonly #random: Random;
  readonly #client: SluiceClient;
  readonly #raw: RawDatabase;
  readonly #workspace: string;
  readonly #forms = new Map<string, FormedText>();
  readonly #batches: string[] = [];
  readonly #trace: string[];

  constructor(sluice: Sluice, raw: RawDatabase, workspace: string, run: number) {
    this.#random = randomFor(`vault ${run}`);
    this.#client = sluice.as({ name: 'ann', role: 'owner', kind: 'author', origin: 'authored', workspace });
    this.#raw = raw;
    this.#workspace = workspace;
    this.#trace = [`seed ${testSeed()}, run ${run}`];
  }

  async live(): Promise<void> {
    try {
      for (let i = 0; i < 7; i += 1) await this.#create();
      for (let i = 0; i < STEPS; i += 1) await this.#step();
    } catch (error) {
      throw new Error(`After these steps:\n${this.#trace.join('\n')}`, { cause: error });
    }
  }

  async #step(): Promise<void> {
    const live = [...(await this.#state()).pages.values()].filter((page) => page.batch === null);
    if (live.length === 0) return this.#create();
    const page = this.#random.pick(live);
    const kind = this.#random.between(1, 12);
    if (kind <= 5) {
      const keep_alias = this.#random.oneIn(4);
      await this.#place('rename_page', { page: page.id, title: this.#random.pick(TITLES), keep_alias });
    } else if (kind <= 8) {
      const parent = this.#random.oneIn(3) ? null : this.#random.pick(live).id;
      await this.#place('move_page', { page: page.id, parent });
    } else if (kind === 9) {
      const done = await this.#unrewritten('delete_page', { page: page.id });
      if (done) this.#batches.push(String(done.batch));
    } else if (kind === 10 && this.#batches.length > 0) {
      const batch = this.#random.pick(this.#batches);
      this.#batches.splice(this.#batches.indexOf(batch), 1);
      await this.#unrewritten('restore_page', { batch });
    } else await this.#create();
  }

  async #create(): Promise<void> {
    const live = [...(await this.#state()).pages.values()].filter((page) => page.batch === null);
    const path = (): string => {
      const page = live.length > 0 && !this.#random.oneIn(5) ? this.#random.pick(live) : undefined;
      const title = page?.title ?? this.#random.pick(TITLES);
      if (/[#]/.test(title)) return page?.slug ?? 'c-notes';
      return this.#random.oneIn(4) ? title.toUpperCase() : title;
    };
    const formed = formedText(this.#random, path);
    const parent = live.length > 0 && this.#random.oneIn(2) ? this.#random.pick(live).id : null;
    const title = this.#random.pick(TITLES);
    const done = await this.#unrewritten('create_page', { title, content: formed.text, parent });
    this.#forms.set(String(done?.id), formed);
  }

  /** A call that may change what links mean, but no text. */
  async #unrewritten(tool: string, input: Answer): Promise<Answer | undefined> {
    const before = await this.#rows();
    const answer = await this.#call(tool, input);
    const now = new Map((await this.#rows()).map((row) => [row.id, row.content]));
    for (const row of before) expect(now.get(row.id), `${tool} changes no text`).toBe(row.content);
    return answer;
  }

  /** A rename or move: foretold, done, held against the model, and at times undone. */
  async #place(tool: string, input: Answer): Promise<void> {
    const [rows, before] = [await this.#rows(), await this.#state()];
    const foretold = await this.#call(tool, { ...input, dry_run: true });
    expect(await this.#rows(), 'a dry run changes nothing').toEqual(rows);
    const done = await this.#call(tool, input);
    expect(report(done), 'the dry run told what happens').toEqual(report(foretold));
    if (!done) return;
    this.#judge(rows, before, await this.#rows(), await this.#state(), done, input);
    if (done.changed !== true) expect(await this.#rows(), 'nothing changed').toEqual(rows);
    else if (this.#random.oneIn(2)) await this.#undo(done.change, rows, before);
  }

  async #undo(change: unknown, rows: readonly Row[], before: PageModel): Promise<void> {
    const foretold = await this.#call('undo_change', { change, dry_run: true });
    const undone = await this.#call('undo_change', { change });
    expect(report(undone)).toEqual(report(foretold));
    const names = (all: readonly Row[]) => all.map(({ version: _, ...row }) => row);
    expect(names(await this.#rows()), 'undone, all is as it was').toEqual(names(rows));
    const aliases = (model: PageModel) => [...model.pages.values()].map((page) => page.aliases);
    expect(aliases(await this.#state())).toEqual(aliases(before));
  }

  #judge(
    rows: readonly Row[],
    before: PageModel,
    after: readonly Row[],
    model: PageModel,
    done: Answer,
    input: Answer,
  ): void {
    const skipped = new Set((done.skipped as { page: string }[]).map(({ page }) => page));
    const now = new Map(after.map((row) => [row.id, row]));
    for (const row of rows) {
      const [own, later] = [before.page(row.id), now.get(row.id)];
      expect([later?.origin, later?.lifecycle]).toEqual([row.origin, row.lifecycle]);
      if (later?.content === row.content)
        expect(later.version, 'no new version without a new text').toBe(row.version);
      if (own.batch !== null) expect(later?.content).toBe(row.content);
      if (own.batch !== null) continue;
      const [old, anew] = [this.#paths(row), this.#paths(later as Row)];
      for (const [i, link] of old.entries()) {
        const meant = before.meaning(own, link.path);
        const words = anew[i] ?? { written: '', path: '' };
        const stays = same(model.meaning(model.page(row.id), link.path), meant);
        if (typeof meant !== 'object') expect(words.written, 'what meant nothing stays').toBe(link.written);
        else if (!skipped.has(row.id))
          expect(model.meaning(model.page(row.id), words.path), `"${link.path}" in "${row.title}"`).toEqual(
            meant,
          );
        if (stays && input.keep_alias !== true)
          expect(words.written, 'what means the same stays').toBe(link.written);
      }
    }
  }

  #paths(row: Row) {
    const formed = this.#forms.get(row.id);
    const paths = formed && pathsIn(formed, row.content);
    expect(paths, `nothing but paths is rewritten:\n${row.content}`).toBeDefined();
    return paths ?? [];
  }

  async #call(tool: string, input: Answer): Promise<Answer | undefined> {
    this.#trace.push(`${tool} ${JSON.stringify(input)}`);
    try {
      return await this.#client.call(tool, input);
    } catch (error) {
      const expected = ['alias', 'cycle', 'restored'];
      if (error instanceof SluiceError && expected.includes(String(error.details.reason))) return undefined;
      throw error;
    }
  }

  #rows(): Promise<Row[]> {
    const columns = 'id, title, slug, parent_id, content, version, trash_batch, origin, lifecycle';
    return this.#raw.all(
      `select ${columns} from page where workspace_id = '${this.#workspace}' order by number`,
    );
  }

  /** The tree and its names as the model knows them. */
  async #state(): Promise<PageModel> {
    const model = new PageModel();
    const aliases = await this.#raw.all<{ page_id: string; alias: string }>(
      'select page_id, alias from page_alias order by alias_key',
    );
    for (const row of await this.#rows()) {
      const own = aliases.filter((one) => one.page_id === row.id).map(({ alias }) => alias);
      const { id, title, slug, parent_id: parent, trash_batch: batch, content } = row;
      model.pages.set(id, { id, title, slug, parent, batch, content, aliases: own } as unknown as ModelPage);
    }
    return model;
  }
}

const same = (a: Meaning, b: Meaning): boolean => JSON.stringify(a) === JSON.stringify(b);

/** What a dry run and a run have in common. */
function report(answer: Answer | undefined): Answer | undefined {
  if (!answer) return undefined;
  const { changed: _, change: __, dry_run: ___, version: ____, ...rest } = answer;
  return rest;
}

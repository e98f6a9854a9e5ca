/** Random days of authors, agents, clients and imports, with everything that an author can say to it, and all that is taken back. */
import { expect, it, vi } from 'vitest';
import type { Sluice, SluiceClient } from '../../src/app/create-sluice.ts';
import { SluiceError } from '../../src/kernel/errors.ts';
import { onEachStore } from '../support/each-store.ts';
import { useModelHome } from '../support/model-home.ts';
import { type Random, randomFor, soaking, times } from '../support/random.ts';
import type { RawDatabase } from '../support/raw-database.ts';
import type { Answer } from '../support/review.ts';
import { type PageRow, ReviewModel } from '../support/review-model.ts';
import { testSeed } from '../support/seed.ts';

vi.setConfig(soaking ? { testTimeout: 3_600_000 } : { testTimeout: 240_000 });

const RUNS = times(12, 300);
const STEPS = times(40, 80);

/** What may stand against a step; anything else is a fault. */
const REASONS = ['conflict', 'not_found', 'ambiguous', 'review_required'];

onEachStore('review under random use', (under) => {
  const at = useModelHome(under);

  it(`[PROP-01][PROP-10][PROP-13][PROP-31][PROP-33] in ${RUNS} runs of ${STEPS} steps nothing canonical comes from a program without a yes, no origin changes, nothing is lost`, async () => {
    for (let run = 0; run < RUNS; run += 1) {
      const name = `review ${run} on ${under.kind}`;
      const opened = at.sluice();
      const { workspace } = await opened.call('workspace.create', { name });
      await opened.call('workspace.open', { workspace: name });
      await new Day(opened, at.raw(), String((workspace as Answer).id), run).live();
    }
    await at.closeConsistent();
  });
});

class Day {
  readonly #model = new ReviewModel();
  readonly #random: Random;
  readonly #raw: RawDatabase;
  readonly #workspace: string;
  readonly #authors: readonly SluiceClient[];
  readonly #programs: readonly SluiceClient[];
  readonly #importer: SluiceClient;
  readonly #imported: string[] = [];
  /** Runs that can be taken back, those of undoings too, and renames and moves. */
  readonly #runs = ['agent:bot/one', 'agent:bot/two', 'client:ide/ide', 'author:ann/in', 'author:ann/a'];
  readonly #placings: unknown[] = [];
  readonly #trace: string[];
  #rows: readonly PageRow[] = [];
  #written = 0;

  constructor(sluice: Sluice, raw: RawDatabase, workspace: string, run: number) {
    this.#random = randomFor(`a review ${run}`);
    this.#raw = raw;
    this.#workspace = workspace;
    const author = { kind: 'author', origin: 'authored', workspace } as const;
    this.#authors = [
      sluice.as({ ...author, name: 'ann', role: 'owner', run: 'a' }),
      sluice.as({ ...author, name: 'ed', role: 'editor', run: 'e' }),
    ];
    this.#programs = [
      sluice.as({ name: 'bot', role: 'agent', kind: 'agent', workspace, run: 'one' }),
      sluice.as({ name: 'bot', role: 'agent', kind: 'agent', workspace, run: 'two' }),
      sluice.as({ name: 'ide', role: 'client', workspace, run: 'ide' }),
      sluice.as({ name: 'helper', role: 'editor', kind: 'author', origin: 'agent-produced', workspace }),
    ];
    this.#importer = sluice.as({ ...author, name: 'ann', role: 'owner', run: 'in' });
    this.#trace = [`seed ${testSeed()}, run ${run}`];
  }

  async live(): Promise<void> {
    try {
      for (let step = 0; step < STEPS; step += 1) await this.#step();
      await this.#lookBack();
    } catch (error) {
      throw new Error(`After these steps:\n${this.#trace.join('\n')}`, { cause: error });
    }
  }

  async #step(): Promise<unknown> {
    const random = this.#random;
    const kind = random.between(1, 22);
    if (this.#rows.length < 3 || kind <= 10) return this.#write(random.oneIn(2));
    if (kind <= 15) return this.#accept();
    if (kind <= 17) return this.#decide('reject_proposal', { reason: 'no' });
    if (kind === 18) return this.#acceptRun();
    if (kind === 19) return this.#import();
    if (kind === 20) return this.#restore();
    return this.#undo();
  }

  #text(): string {
    const random = this.#random;
    const paragraph = (): string => {
      this.#written += 1;
      const link = random.oneIn(4) && this.#rows.length > 0 ? ` [[${random.pick(this.#rows).title}]]` : '';
      return `w${this.#written} said${link}.`;
    };
    return `${Array.from({ length: random.between(1, 4) }, paragraph).join('\n\n')}\n`;
  }

  /** An edit of a text: paragraphs come, go and change. */
  #edited(text: string): string {
    const random = this.#random;
    const paragraphs = text.trim().split('\n\n');
    const at = random.between(0, paragraphs.length - 1);
    const fresh = this.#text().trim();
    const way = random.between(1, 4);
    if (way === 1) paragraphs.splice(at, 1);
    else if (way === 2) paragraphs.splice(at, 1, fresh);
    else if (way === 3) paragraphs.splice(at, 0, fresh);
    else paragraphs.push(fresh);
    return `${paragraphs.join('\n\n')}\n`;
  }

  /** Something that authors and programs alike may ask for. */
  async #write(byAuthor: boolean): Promise<unknown> {
    const random = this.#random;
    const as = random.pick(byAuthor ? this.#authors : this.#programs);
    const live = this.#rows.filter((row) => row.trash_batch === null);
    const page = live.length > 0 ? random.pick(live) : undefined;
    const title = (): string => {
      this.#written += 1;
      return `T w${this.#written}`;
    };
    const way = random.between(1, 12);
    if (!page || way <= 3) {
      const parent = page && random.oneIn(2) ? page.id : null;
      const derived_from = page && random.oneIn(3) ? [random.pick(live).id] : undefined;
      const input = { title: title(), content: this.#text(), parent, ...(derived_from && { derived_from }) };
      return this.#call(as, byAuthor, 'create_page', input);
    }
    if (way <= 7) {
      const texts = [...(this.#model.texts.get(page.id) ?? [])];
      const [base_version, base] = random.oneIn(2)
        ? [page.version, page.content]
        : (random.pick(texts) as [string, string]);
      const content = this.#edited(base);
      return this.#call(as, byAuthor, 'update_page_content', { page: page.id, content, base_version }, base);
    }
    if (way === 8)
      return this.#call(as, byAuthor, 'edit_page', {
        page: page.id,
        edits: [{ op: 'append', text: this.#text() }],
      });
    if (way === 9) return this.#call(as, byAuthor, 'update_page_metadata', { page: page.id, title: title() });
    if (way === 10) return this.#call(as, byAuthor, 'rename_page', { page: page.id, title: title() });
    if (way === 11) {
      const parent = random.oneIn(3) ? null : random.pick(live).id;
      return this.#call(as, byAuthor, 'move_page', { page: page.id, parent });
    }
    return this.#call(as, byAuthor, 'delete_page', { page: page.id });
  }

  async #restore(): Promise<void> {
    const gone = this.#rows.filter((row) => row.trash_batch !== null);
    if (gone.length === 0) return;
    const byAuthor = this.#random.oneIn(2);
    const as = this.#random.pick(byAuthor ? this.#authors : this.#programs);
    await this.#call(as, byAuthor, 'restore_page', { page: this.#random.pick(gone).id });
  }

  /** A whole run, an undoing among them, or one rename or move; by an author, or by a program that tries. */
  async #undo(): Promise<void> {
    const random = this.#random;
    const byAuthor = random.oneIn(2);
    const as = random.pick(byAuthor ? this.#authors : this.#programs);
    const single = this.#placings.length > 0 && random.oneIn(3);
    const [tool, input]: [string, Answer] = single
      ? ['undo_change', { change: random.pick(this.#placings) }]
      : ['undo_run', { run: random.pick(this.#runs), dry_run: random.oneIn(5) }];
    const [before, past] = [this.#rows, this.#model.past()];
    if (byAuthor) for (const { id } of before) this.#model.allowPast(id);
    const answer = await this.#call(as, byAuthor, tool, input);
    if (input.dry_run === true) expect(this.#rows, 'a preview changes nothing').toEqual(before);
    this.#model.takenBack(before, this.#rows, past);
    await this.#resettle();
    if (typeof answer?.undo_run === 'string') this.#runs.push(answer.undo_run);
  }

  async #resettle(): Promise<void> {
    const states = await this.#raw.all<{ id: string; state: string }>(
      `select id, state from proposal where workspace_id = '${this.#workspace}'`,
    );
    this.#model.resettle(states);
  }

  /** By the owner, and a draft all the same. */
  async #import(): Promise<void> {
    this.#written += 1;
    const again = this.#imported.length > 0 && this.#random.oneIn(2);
    const path = again ? this.#random.pick(this.#imported) : `In/w${this.#written}.md`;
    const files = [{ path, text: this.#text() }];
    if (!again) this.#imported.push(path);
    const before = this.#rows;
    const { files: done } = await this.#importer.call('import_pages', { files });
    this.#trace.push(`import ${JSON.stringify(done)}`);
    for (const { proposal, page } of done as Answer[])
      if (proposal !== undefined) this.#model.proposed({ id: proposal, page }, undefined, undefined);
    await this.#look();
    this.#model.unmoved(before, this.#rows);
  }

  async #call(
    as: SluiceClient,
    byAuthor: boolean,
    tool: string,
    input: Answer,
    base?: string,
  ): Promise<Answer | undefined> {
    this.#trace.push(`${byAuthor ? 'author ' : 'program'} ${tool} ${JSON.stringify(input)}`);
    const before = this.#rows;
    if (byAuthor) this.#model.allow(JSON.stringify(input));
    const answer = await this.#tried(as.call(tool, input));
    const proposal = answer?.proposal as Answer | undefined;
    if (proposal) {
      expect(byAuthor, 'an author needs no review').toBe(false);
      this.#model.proposed(proposal, base, base === undefined ? undefined : String(input.content));
      this.#trace.push(`  proposal ${proposal.id}`);
    }
    if (answer && tool === 'create_page' && !proposal && !byAuthor)
      this.#model.proposed({ id: answer.id, page: answer.id }, undefined, undefined);
    await this.#look();
    if (!byAuthor) this.#model.unmoved(before, this.#rows);
    if (proposal) expect(this.#rows, 'a proposal changes nothing').toEqual(before);
    if (!proposal && typeof answer?.change === 'number') this.#placings.push(answer.change);
    return answer;
  }

  async #accept(): Promise<void> {
    const pending = this.#model.pending();
    const edits = this.#random.oneIn(5);
    if (pending.length === 0) return;
    const proposal = this.#random.pick(pending);
    if (!edits) return this.#decide('accept_proposal', {}, proposal);
    const shown = await this.#tried(
      (this.#authors[0] as SluiceClient).call('read_proposal', { proposal, content: true }),
    );
    const content = (shown?.text as Answer | undefined)?.content;
    if (typeof content !== 'string') return;
    // Where both changed the same, the author keeps both.
    const edited = this.#edited(
      content.replace(/^(<<<<<<< the page.*|=======|>>>>>>> proposed by .*)\n/gm, ''),
    );
    this.#model.allow(edited);
    await this.#decide('accept_proposal', { content: edited, version: shown?.head_version }, proposal);
  }

  /** By an author, or by somebody who is none and tries. */
  async #decide(tool: string, more: Answer, chosen?: string): Promise<void> {
    const random = this.#random;
    const ids = [...this.#model.proposals.keys()];
    if (ids.length === 0) return;
    const id = chosen ?? random.pick(ids);
    const known = this.#model.proposals.get(id);
    const byAuthor = !random.oneIn(5);
    const as = random.pick(byAuthor ? this.#authors : this.#programs);
    this.#trace.push(`${byAuthor ? 'author ' : 'program'} ${tool} ${id} ${JSON.stringify(more)}`);
    if (byAuthor && known?.state === 'pending' && tool === 'accept_proposal') await this.#allowProposed(id);
    const before = this.#rows;
    const answer = await this.#tried(as.call(tool, { proposal: id, ...more }), ['denied', 'unknown_tool']);
    if (answer) {
      expect(byAuthor, 'only an author decides').toBe(true);
      expect(known?.state, 'what is decided was pending').toBe('pending');
      const said = (answer.outcomes as Answer[])[0];
      for (const one of [id, ...((said?.also as string[] | undefined) ?? [])]) this.#settle(one, tool);
    }
    await this.#look(tool === 'accept_proposal' && answer ? [id] : []);
    if (answer && known?.op?.startsWith('undo_')) await this.#resettle();
    if (!byAuthor || !answer || tool === 'reject_proposal') this.#model.unmoved(before, this.#rows);
    const [was, now] = [before, this.#rows].map((rows) => rows.find((row) => row.id === known?.page));
    if (answer && tool === 'accept_proposal' && more.content === undefined && was && now)
      this.#model.merged(id, was.content, now.content);
  }

  /** What an author lets in by a yes: the arguments and the text of the proposal, or the new page as it is. */
  async #allowProposed(id: string): Promise<void> {
    const shown = await (this.#authors[0] as SluiceClient).call('read_proposal', {
      proposal: id,
      content: true,
    });
    this.#model.allow(JSON.stringify(shown.arguments));
    if (String(shown.op).startsWith('undo_'))
      for (const { page } of shown.pages as Answer[]) this.#model.allowPast(String(page));
    const { text } = this.#model.proposals.get(id) ?? {};
    this.#model.allow(`${text ?? ''} ${String((shown.text as Answer | undefined)?.content ?? '')}`);
  }

  async #acceptRun(): Promise<void> {
    const run = this.#random.pick(['agent:bot/one', 'agent:bot/two', 'client:ide/ide', 'author:ann/in']);
    for (const id of this.#model.pending()) await this.#allowProposed(id);
    this.#trace.push(`author accepts ${run}`);
    const answer = await this.#tried(
      (this.#authors[1] as SluiceClient).call('accept_proposal', { run, limit: 5 }),
    );
    const done = ((answer?.outcomes ?? []) as Answer[])
      .filter(({ outcome }) => outcome === 'accepted')
      .map(({ proposal }) => String(proposal));
    for (const id of done) this.#settle(id, 'accept_proposal');
    await this.#look(done);
    if (done.some((id) => this.#model.proposals.get(id)?.op?.startsWith('undo_'))) await this.#resettle();
  }

  #settle(id: string, tool: string): void {
    const known = this.#model.proposals.get(id);
    if (known) known.state = tool === 'accept_proposal' ? 'accepted' : 'rejected';
  }

  async #tried(call: Promise<Answer>, more: readonly string[] = []): Promise<Answer | undefined> {
    try {
      return await call;
    } catch (error) {
      if (!(error instanceof SluiceError)) throw error;
      this.#trace.push(`  refused: ${error.code} ${String(error.details.reason ?? '')} ${error.message}`);
      expect([...REASONS, ...more], error.message).toContain(error.code);
      return undefined;
    }
  }

  async #look(accepted: readonly string[] = []): Promise<void> {
    const columns =
      'id, parent_id, slug, title, icon, position, content, version, lifecycle, origin, trash_batch';
    this.#rows = await this.#raw.all<PageRow>(
      `select ${columns} from page where workspace_id = '${this.#workspace}' order by id`,
    );
    this.#model.look(this.#rows, new Set(accepted));
    // A new page that comes back from the trash waits again.
    for (const { id, lifecycle, trash_batch } of this.#rows) {
      const known = this.#model.proposals.get(id);
      if (!known && lifecycle === 'draft') this.#model.proposed({ id, page: id }, undefined, undefined);
      if (known?.state === 'rejected' && lifecycle !== 'canonical' && trash_batch === null)
        known.state = 'pending';
    }
  }

  /** Every text there was can be had, every proposal is on record, every source can be looked up. */
  async #lookBack(): Promise<void> {
    const ann = this.#authors[0] as SluiceClient;
    const listed = new Map<string, unknown>();
    for (let cursor: unknown; ; ) {
      const page = await ann.call('list_proposals', {
        state: 'all',
        limit: 100,
        ...(cursor !== undefined && { cursor }),
      });
      for (const { id, state } of page.proposals as Answer[]) listed.set(String(id), state);
      if (page.next_cursor === undefined) break;
      cursor = page.next_cursor;
    }
    const expected = [...this.#model.proposals].map(([id, { state }]) => [id, state] as const);
    expect(Object.fromEntries(listed), 'proposals on record').toEqual(Object.fromEntries(expected));
    const known = new Set(this.#rows.map(({ id }) => id));
    for (const row of this.#rows.filter(({ trash_batch }) => trash_batch === null)) {
      const { derived_from } = await ann.call('read_page', { page: row.id });
      for (const source of derived_from as { page: string; version: string }[]) {
        expect(known, 'a source').toContain(source.page);
        expect(this.#model.texts.get(source.page)?.has(source.version), 'its version').toBe(true);
      }
      for (const [version, content] of this.#model.texts.get(row.id) ?? [])
        expect((await ann.call('read_page', { page: row.id, version, max_tokens: 100_000 })).content).toBe(
          content,
        );
    }
  }
}

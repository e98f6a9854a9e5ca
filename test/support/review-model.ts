/**
 * What must hold of review, kept as facts rather than foretold: every word has one writer, words that no author let in
 * are in nothing canonical, and what a program does leaves everything canonical as it was.
 */
import { expect } from 'vitest';
import type { Answer } from './review.ts';

export interface PageRow {
  readonly id: string;
  readonly parent_id: string | null;
  readonly slug: string;
  readonly title: string;
  readonly icon: string | null;
  readonly position: string;
  readonly content: string;
  readonly version: string;
  readonly lifecycle: string;
  readonly origin: string;
  readonly trash_batch: string | null;
}

interface KnownProposal {
  readonly page: string;
  readonly base?: string;
  readonly text?: string;
  readonly op?: string;
  state: 'pending' | 'accepted' | 'rejected';
}

/** Words that nobody writes twice. */
const WORD = /w\d+/g;
const wordsIn = (text: string): ReadonlySet<string> => new Set(text.match(WORD) ?? []);

export class ReviewModel {
  /** Written or let in by an author. */
  readonly #allowed = new Set<string>();
  readonly #origins = new Map<string, string>();
  readonly #lifecycles = new Map<string, string>();
  readonly proposals = new Map<string, KnownProposal>();
  /** Every text that a page had when somebody looked. */
  readonly texts = new Map<string, Map<string, string>>();
  /** Every title it had. */
  readonly #titles = new Map<string, Set<string>>();

  allow(text: string): void {
    for (const word of wordsIn(text)) this.#allowed.add(word);
  }

  pending(): string[] {
    return [...this.proposals].filter(([, { state }]) => state === 'pending').map(([id]) => id);
  }

  proposed(proposal: Answer, base: string | undefined, text: string | undefined): void {
    const known = { page: String(proposal.page), state: 'pending' } as const;
    this.proposals.set(String(proposal.id), {
      ...known,
      ...(base !== undefined && { base }),
      ...(text !== undefined && { text }),
      ...(typeof proposal.op === 'string' && { op: proposal.op }),
    });
  }

  /** After a step: what is canonical, whose it is, and what each page was like. */
  look(rows: readonly PageRow[], promoted: ReadonlySet<string>): void {
    for (const row of rows) {
      const origin = this.#origins.get(row.id);
      if (origin !== undefined) expect(row.origin, 'an origin stays').toBe(origin);
      this.#origins.set(row.id, row.origin);
      const before = this.#lifecycles.get(row.id);
      if (before !== undefined && before !== row.lifecycle) {
        expect(['draft', 'candidate'], 'only a yes promotes').toContain(before);
        expect(row.lifecycle, 'only a yes promotes').toBe('canonical');
        expect(promoted.has(row.id), `"${row.title}" was accepted`).toBe(true);
        this.allow(`${row.title} ${row.content}`);
      }
      this.#lifecycles.set(row.id, row.lifecycle);
      const texts = this.texts.get(row.id) ?? new Map<string, string>();
      expect(texts.get(row.version) ?? row.content, 'a version has one text').toBe(row.content);
      this.texts.set(row.id, texts.set(row.version, row.content));
      this.#titles.set(row.id, (this.#titles.get(row.id) ?? new Set()).add(row.title));
      if (row.lifecycle !== 'canonical') continue;
      const foreign = [...wordsIn(`${row.title} ${row.content}`)].filter((word) => !this.#allowed.has(word));
      expect(foreign, `words in "${row.title}" that no author wrote or let in`).toEqual([]);
    }
  }

  /** Taking back brings what was there before, and an author who takes back wants that. */
  allowPast(page: string): void {
    for (const text of this.texts.get(page)?.values() ?? []) this.allow(text);
    for (const title of this.#titles.get(page) ?? []) this.allow(title);
  }

  /** The words that each page had until now. */
  past(): ReadonlyMap<string, ReadonlySet<string>> {
    return new Map([...this.texts].map(([id, texts]) => [id, wordsIn([...texts.values()].join(' '))]));
  }

  /** After an undoing: every text is made of what its page had before, and no page is lost. */
  takenBack(
    before: readonly PageRow[],
    after: readonly PageRow[],
    past: ReadonlyMap<string, ReadonlySet<string>>,
  ): void {
    // Links follow the names of pages, which come back as well.
    for (const { id, title, content } of after)
      for (const word of wordsIn(content.replace(/\[\[[^\]]*\]\]/g, '')))
        expect(past.get(id), `words from nowhere in "${title}"`).toContain(word);
    expect(
      after.map(({ id }) => id),
      'no page is lost',
    ).toEqual(before.map(({ id }) => id));
  }

  /** An undoing takes back what was put up and what was turned down, and no yes. */
  resettle(states: readonly { readonly id: string; readonly state: string }[]): void {
    for (const { id, state } of states) {
      const known = this.proposals.get(id);
      if (!known) continue;
      if (known.state === 'accepted') expect(state, 'an accepted proposal').toBe('accepted');
      else expect(['pending', 'rejected'], 'an undoing accepts nothing').toContain(state);
      known.state = state as KnownProposal['state'];
    }
  }

  /** What somebody did who is no author. */
  unmoved(before: readonly PageRow[], after: readonly PageRow[]): void {
    const canonical = (rows: readonly PageRow[]) => rows.filter((row) => row.lifecycle === 'canonical');
    expect(canonical(after), 'canonical pages after a program’s call').toEqual(canonical(before));
  }

  /** A text that was merged in: nothing of either side is lost, and nothing comes from elsewhere. */
  merged(id: string, before: string, after: string): void {
    const { base, text } = this.proposals.get(id) ?? {};
    if (base === undefined || text === undefined) return;
    const [was, wanted, head, now] = [base, text, before, after].map(wordsIn) as [
      ReadonlySet<string>,
      ReadonlySet<string>,
      ReadonlySet<string>,
      ReadonlySet<string>,
    ];
    const dropped = was.difference(wanted);
    for (const word of head.difference(dropped)) expect(now, 'the head’s words').toContain(word);
    for (const word of wanted.difference(was)) expect(now, 'the proposal’s words').toContain(word);
    for (const word of now) expect(head.union(wanted), 'words from nowhere').toContain(word);
  }
}

/**
 * A workspace as one would explain it to somebody: lists in memory, no indexes, no cleverness. It knows nothing of the
 * real one; the property test holds the two against each other.
 */

export interface ModelPage {
  readonly id: string;
  readonly lifecycle: string;
  readonly origin: string;
  title: string;
  slug: string;
  icon: string | null;
  parent: string | null;
  content: string;
  version: string;
  aliases: string[];
  /** The trash batch it lies in. */
  batch: string | null;
  /** Every text it had, by version. */
  readonly texts: Map<string, string>;
  /** How many entries its history has. */
  events: number;
  /** When it came to stand where it stands. */
  placedAt: number;
  /** For each path written in it: the page that path last meant. */
  readonly lastMeant: Map<string, string>;
}

export interface ModelBatch {
  readonly id: string;
  readonly at: number;
  /** Where each page was: parent, and the order of the siblings with the page among them. */
  readonly places: Map<string, { parent: string | null; slug: string; order: readonly string[] }>;
}

export type Meaning = { page: string } | 'unresolved' | 'ambiguous';

export class PageModel {
  readonly pages = new Map<string, ModelPage>();
  readonly batches = new Map<string, ModelBatch>();
  /** Live children in order; the key of the root is "". */
  readonly order = new Map<string, string[]>();
  #time = 0;

  /** Later than everything before. */
  now(): number {
    this.#time += 1;
    return this.#time;
  }

  page(id: string): ModelPage {
    const page = this.pages.get(id);
    if (!page) throw new Error(`The model has no page ${id}`);
    return page;
  }

  live(): ModelPage[] {
    return [...this.pages.values()].filter((page) => page.batch === null);
  }

  siblings(parent: string | null): string[] {
    const key = parent ?? '';
    const list = this.order.get(key) ?? [];
    this.order.set(key, list);
    return list;
  }

  /** Root first, itself last. */
  way(page: ModelPage): ModelPage[] {
    return page.parent === null ? [page] : [...this.way(this.page(page.parent)), page];
  }

  path = (page: ModelPage): string =>
    this.way(page)
      .map((step) => step.slug)
      .join('/');

  isBelow(page: ModelPage, root: string): boolean {
    return this.way(page).some((step) => step.id === root);
  }

  /** The page and all live ones below it. */
  subtree(root: string): ModelPage[] {
    return this.live().filter((page) => this.isBelow(page, root));
  }

  freeSlug(parent: string | null, wanted: string, except?: string): string {
    const taken = this.siblings(parent)
      .filter((id) => id !== except)
      .map((id) => this.page(id).slug);
    if (!taken.includes(wanted)) return wanted;
    let n = 2;
    while (taken.includes(`${wanted}-${n}`)) n += 1;
    return `${wanted}-${n}`;
  }

  place(page: ModelPage, parent: string | null, index?: number): void {
    this.unplace(page);
    page.parent = parent;
    page.placedAt = this.now();
    const list = this.siblings(parent);
    list.splice(index ?? list.length, 0, page.id);
  }

  unplace(page: ModelPage): void {
    const list = this.siblings(page.parent);
    const at = list.indexOf(page.id);
    if (at >= 0) list.splice(at, 1);
  }

  /** The nearest page above that is not in the trash. */
  nearestLive(id: string | null): string | null {
    for (let at = id; at !== null; at = this.page(at).parent) if (this.page(at).batch === null) return at;
    return null;
  }

  /**
   * Which page a link means: by title, then by slug, then by alias; among several the one whose whole path is written,
   * then the one beside the page the link stands in, then the one with the shortest path.
   */
  meaning(source: ModelPage, path: string): Meaning {
    const parts = path
      .replace(/\.md$/i, '')
      .split('/')
      .filter((part) => part !== '' && part !== '.' && part !== '..');
    const name = fold(parts.at(-1) ?? '');
    if (name === '') return 'unresolved';
    const named: ((page: ModelPage) => string[])[] = [
      (page) => [page.title],
      (page) => [page.slug],
      (page) => page.aliases,
    ];
    for (const namesOf of named) {
      const answering = this.live().filter((page) => namesOf(page).some((one) => fold(one) === name));
      const exactly = answering.filter((page) => this.#liesBelow(page, parts.slice(0, -1), hasName));
      const fitting =
        exactly.length > 0
          ? exactly
          : answering.filter((page) => this.#liesBelow(page, parts.slice(0, -1), hasSlugLike));
      if (fitting.length === 0) continue;
      const whole = fitting.filter((page) => this.way(page).length === parts.length);
      const beside = fitting.filter((page) => parts.length === 1 && page.parent === source.parent);
      const shortest = Math.min(...fitting.map((page) => this.path(page).length));
      const nearest = fitting.filter((page) => this.path(page).length === shortest);
      for (const choice of [whole, beside, nearest])
        if (choice.length === 1) return { page: choice[0]?.id ?? '' };
      return 'ambiguous';
    }
    return 'unresolved';
  }

  #liesBelow(
    page: ModelPage,
    parts: readonly string[],
    fits: (step: ModelPage, part: string) => boolean,
  ): boolean {
    const above = this.way(page).slice(0, -1);
    const nearest = above.slice(Math.max(0, above.length - parts.length));
    return parts.length === nearest.length && nearest.every((step, i) => fits(step, parts[i] ?? ''));
  }

  /** After every step: what each link of the live pages means now, as the index should have it. */
  settleLinks(): Map<string, { status: string; target: string | null }[]> {
    const settled = new Map<string, { status: string; target: string | null }[]>();
    for (const page of this.live()) {
      const links = linksOf(page.content);
      for (const path of page.lastMeant.keys())
        if (!links.some((link) => link.path === path)) page.lastMeant.delete(path);
      settled.set(
        page.id,
        links.map(({ path, kind }) => {
          if (kind !== 'page') return { status: kind, target: null };
          const meaning = this.meaning(page, path);
          if (typeof meaning === 'object') {
            page.lastMeant.set(path, meaning.page);
            return { status: 'resolved', target: meaning.page };
          }
          const last = page.lastMeant.get(path);
          const inTrash = last !== undefined && this.page(last).batch !== null;
          if (meaning === 'unresolved' && inTrash) return { status: 'trashed', target: last };
          page.lastMeant.delete(path);
          return { status: meaning, target: null };
        }),
      );
    }
    return settled;
  }
}

const hasName = (page: ModelPage, name: string): boolean =>
  [page.title, page.slug].some((one) => fold(one) === fold(name));

const hasSlugLike = (page: ModelPage, name: string): boolean =>
  hasName(page, name) || fold(page.slug) === fold(slugify(name));

/** Names are equal whatever their case, spacing and composition; the names of the test need no more than that. */
export const fold = (name: string): string =>
  name.normalize('NFC').toUpperCase().toLowerCase().replace(/\s+/g, ' ').trim();

export const slugify = (title: string): string =>
  title
    .normalize('NFC')
    .toLowerCase()
    .replace(/[#/|[\]]/g, ' ')
    .trim()
    .replace(/[\s-]+/g, '-');

export interface ModelLink {
  readonly path: string;
  readonly kind: 'page' | 'external' | 'self';
}

/** The links of a text, of the forms that the test writes. */
export function linksOf(text: string): ModelLink[] {
  return findLinks(text).map(({ link }) => link);
}

/** The text with every path taken out: what a rename must leave as it is. */
export function withoutPaths(text: string): string {
  let [rest, at] = ['', 0];
  for (const { from, to } of findLinks(text)) {
    rest += `${text.slice(at, from)}∎`;
    at = to;
  }
  return rest + text.slice(at);
}

function findLinks(text: string): { link: ModelLink; from: number; to: number }[] {
  const bare = text.replace(/`[^`]*`/g, (code) => ' '.repeat(code.length));
  const found = [];
  for (const match of bare.matchAll(/\[\[([^\]|#]*)(?:#[^\]|]*)?(?:\|[^\]]*)?\]\]/g)) {
    const [, path = ''] = match;
    const from = match.index + 2;
    found.push({
      link: { path, kind: path === '' ? ('self' as const) : ('page' as const) },
      from,
      to: from + path.length,
    });
  }
  for (const match of bare.matchAll(/\]\((<?)([^)>]*)>?\)/g)) {
    const [, angle = '', path = ''] = match;
    const from = match.index + 2 + angle.length;
    const external = path.startsWith('https:');
    const meant = decodeURIComponent(path);
    found.push({
      link: { path: meant, kind: external ? ('external' as const) : ('page' as const) },
      from,
      to: from + path.length,
    });
  }
  return found.sort((x, y) => x.from - y.from);
}

/** Paragraphs are known by their first word, which never changes. */
export const paragraphsOf = (text: string): string[] => (text === '' ? [] : text.trimEnd().split('\n\n'));
export const textOf = (paragraphs: readonly string[]): string =>
  paragraphs.length === 0 ? '' : `${paragraphs.join('\n\n')}\n`;

const idOf = (paragraph: string): string => paragraph.split(' ')[0] ?? '';

export type Merged = { text: string } | 'conflict' | 'unclear';

/** What two people changed since the same text, paragraph by paragraph. */
export function merge(base: string, head: string, mine: string): Merged {
  const [before, theirs, ours] = [base, head, mine].map(
    (text) => new Map(paragraphsOf(text).map((one) => [idOf(one), one])),
  ) as [Map<string, string>, Map<string, string>, Map<string, string>];
  const came = (side: Map<string, string>): string[] =>
    [...side].filter(([id]) => !before.has(id)).map(([, one]) => one);
  const went = (side: Map<string, string>): number => [...before.keys()].filter((id) => !side.has(id)).length;
  // Something gone and something new beside it may as well be something changed: either reading is right.
  if ([theirs, ours].some((side) => came(side).length > 0 && went(side) > 0)) return 'unclear';
  if (before.size === 0 || theirs.size === 0 || ours.size === 0) return 'unclear';
  const merged: string[] = [];
  for (const [id, one] of before) {
    const [a, b] = [theirs.get(id), ours.get(id)];
    if (a !== b && a !== one && b !== one) return 'conflict';
    const taken = a === one ? b : a;
    if (taken !== undefined) merged.push(taken);
  }
  const [a, b] = [came(theirs), came(ours)];
  if (a.length > 0 && b.length > 0 && a.join() !== b.join()) return 'conflict';
  return { text: textOf([...merged, ...(a.length > 0 ? a : b)]) };
}

/** Whether a text can have come of changing `before` without taking anything away. */
export function onlyAdds(before: string, after: string): boolean {
  const lines = after.split('\n');
  let at = 0;
  for (const line of before.split('\n')) {
    at = lines.indexOf(line, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

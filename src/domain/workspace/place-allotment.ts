/** Slugs and positions for many new pages at once, without asking the store again for each. */
import { generateKeyBetween } from 'fractional-indexing';
import type { PageId, WorkspaceId } from '../../kernel/ids.ts';
import type { WriteTx } from '../../kernel/ports/unit-of-work.ts';
import type { WorkspaceMeans } from './means.ts';
import { freeSlug, nameKey } from './names.ts';
import { SHARED_CHARACTERS } from './place-page.ts';

interface Siblings {
  /** Beginnings of slugs that the store was asked for. */
  readonly asked: Set<string>;
  readonly taken: Set<string>;
  /** The number to try next for a slug that is taken. */
  readonly next: Map<string, number>;
  last: string | null;
}

export class PlaceAllotment {
  readonly #use: Pick<WorkspaceMeans, 'pages'>;
  readonly #tx: WriteTx;
  readonly #workspace: WorkspaceId;
  readonly #byParent = new Map<PageId | null, Siblings>();

  constructor(use: Pick<WorkspaceMeans, 'pages'>, tx: WriteTx, workspace: WorkspaceId) {
    this.#use = use;
    this.#tx = tx;
    this.#workspace = workspace;
  }

  async take(parent: PageId | null, slug: string): Promise<{ slug: string; position: string }> {
    const siblings = await this.#siblings(parent);
    const beginning = [...nameKey(slug)].slice(0, SHARED_CHARACTERS).join('');
    if (!siblings.asked.has(beginning)) {
      siblings.asked.add(beginning);
      const found = await this.#use.pages.siblingSlugs(this.#tx, this.#workspace, parent, beginning);
      for (const key of found) siblings.taken.add(key);
    }
    const free = freeSlug(slug, siblings.taken, siblings.next.get(slug));
    if (free !== slug) siblings.next.set(slug, Number(free.slice(free.lastIndexOf('-') + 1)) + 1);
    siblings.taken.add(nameKey(free));
    siblings.last = generateKeyBetween(siblings.last, null);
    return { slug: free, position: siblings.last };
  }

  async #siblings(parent: PageId | null): Promise<Siblings> {
    let siblings = this.#byParent.get(parent);
    if (!siblings) {
      const last = await this.#use.pages.lastChild(this.#tx.unveiled, this.#workspace, parent);
      siblings = { asked: new Set(), taken: new Set(), next: new Map(), last: last?.position ?? null };
      this.#byParent.set(parent, siblings);
    }
    return siblings;
  }
}

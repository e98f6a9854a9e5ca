/** A store with two workspaces, and pages to put into the first. */
import { afterAll, beforeAll } from 'vitest';
import type { Page } from '../../src/domain/workspace/page.ts';
import type { BatchId, PageId, PrincipalId, WorkspaceId } from '../../src/kernel/ids.ts';
import type { ReadScope, WriteTx } from '../../src/kernel/ports/unit-of-work.ts';
import type { StoreUnderTest } from './each-store.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { addWorkspace, openTestStore, type TestStore } from './test-store.ts';

export interface OpenedStores {
  readonly test: TestStore;
  readonly workspace: WorkspaceId;
  readonly other: WorkspaceId;
}

export const idsOf = (pages: readonly { readonly id: PageId }[]): PageId[] => pages.map(({ id }) => id);

export class WorkspaceStores {
  #opened: OpenedStores | undefined;
  #number = 0;

  constructor(under: StoreUnderTest) {
    beforeAll(async () => {
      if (!under.available()) return;
      const test = await openTestStore(under, temporaryFolder());
      const workspace = await addWorkspace(test, 'First');
      this.#opened = { test, workspace, other: await addWorkspace(test, 'Second') };
    });
    afterAll(() => this.#opened?.test.close());
  }

  /** From the first test on. */
  get opened(): OpenedStores {
    return this.#opened as OpenedStores;
  }

  readonly write = <T>(unit: (tx: WriteTx) => Promise<T>): Promise<T> => {
    const { test, workspace } = this.opened;
    return test.store.units.write({ workspace }, unit);
  };

  readonly read = <T>(work: (scope: ReadScope) => Promise<T>): Promise<T> =>
    this.opened.test.store.units.read(work);

  readonly pageOf = (given: Partial<Page> = {}): Page => {
    this.#number += 1;
    return {
      id: this.opened.test.ids.next<PageId>(),
      workspace: this.opened.workspace,
      parent: null,
      slug: `page-${this.#number}`,
      title: `Page ${this.#number}`,
      icon: null,
      position: 'a0',
      properties: {},
      tags: [],
      origin: 'authored',
      lifecycle: 'canonical',
      version: 'v',
      content: '',
      words: 0,
      createdAt: 1,
      createdBy: 'a',
      updatedAt: 2,
      updatedBy: 'b',
      trashBatch: null,
      ...given,
    };
  };

  readonly add = async (given: Partial<Page> = {}): Promise<Page> => {
    const page = this.pageOf(given);
    await this.write((tx) => this.opened.test.store.pages.insert(tx, page));
    return page;
  };

  readonly trashBatch = async (pages: readonly Page[], at = 100): Promise<BatchId> => {
    const { test, workspace } = this.opened;
    const id = test.ids.next<BatchId>();
    const batch = {
      id,
      workspace,
      root: pages[0]?.id as PageId,
      at,
      principal: 'p' as PrincipalId,
      principalName: 'n',
      restoredAt: null,
    };
    const items = pages.map(({ id: page, parent, position, slug }) => ({ page, parent, position, slug }));
    await this.write((tx) => test.store.trash.add(tx, batch, items));
    return id;
  };
}

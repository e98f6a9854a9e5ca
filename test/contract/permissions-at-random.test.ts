/** Random trees and grants against the rules read naively: who is shown what, and who may change what. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { atLeast, LEVELS, type Level } from '../../src/kernel/sight.ts';
import { expectConsistent } from '../support/check-consistency.ts';
import { onEachStore } from '../support/each-store.ts';
import { randomFor, times } from '../support/random.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { UNLIMITED } from '../support/unlimited.ts';
import {
  type Answer,
  editorNamed,
  letEditors,
  openWholeApp,
  owner,
  type WholeApp,
} from '../support/whole-app.ts';

const STEPS = times(60, 600);
const CHECK_EVERY = 6;
const CLIENTS = ['ann', 'bob'];
const WHO = ['role:editor', ...CLIENTS.map((name) => `client:${name}`)];

onEachStore('permissions at random', (under) => {
  const home = temporaryFolder();
  const random = randomFor(`permissions ${under.kind}`);
  let whole: WholeApp | undefined;
  /** Parents by page. */
  const pages = new Map<string, string | null>();
  /** Levels by page and subject; an empty page is the whole workspace. */
  const grants = new Map<string, Level>();
  beforeAll(async () => {
    if (!under.available()) return;
    whole = await openWholeApp(home, { ...under.config(), ...UNLIMITED });
    await letEditors(whole);
  });
  afterAll(async () => {
    if (!whole) return;
    await whole.app.close();
    await expectConsistent(home, under.config());
  });

  const call = (name: string, input: Answer = {}, who = owner): Promise<Answer> =>
    (whole as WholeApp).call(who, name, input);

  function* upwards(page: string): Generator<string> {
    for (let at: string | null = page; at !== null; at = pages.get(at) ?? null) yield at;
    yield '';
  }

  function levelOf(client: string, page: string): Level {
    for (const at of upwards(page))
      for (const who of [`client:${client}`, 'role:editor']) {
        const level = grants.get(`${at} ${who}`);
        if (level) return level;
      }
    return 'write';
  }

  const isSeen = (client: string, page: string): boolean => atLeast(levelOf(client, page), 'read');

  const actions: Record<string, () => Promise<void>> = {
    async add() {
      const parent = pages.size === 0 || random.oneIn(4) ? null : random.pick([...pages.keys()]);
      const made = await call('create_page', {
        title: `Page ${pages.size}`,
        parent,
        content: 'common words\n',
      });
      pages.set(String(made.id), parent);
    },
    async move() {
      const page = random.pick([...pages.keys()]);
      const parent = random.oneIn(3) ? null : random.pick([...pages.keys()]);
      if (parent !== null && [...upwards(parent)].includes(page)) return;
      await call('move_page', { page, parent });
      pages.set(page, parent);
    },
    async grant() {
      const page = random.oneIn(8) ? '' : random.pick([...pages.keys()]);
      const [who, level] = [random.pick(WHO), random.pick(LEVELS)];
      const [subject_type, subject] = who.split(':');
      await call('grant_permission', { page: page || null, subject_type, subject, level });
      grants.set(`${page} ${who}`, level);
    },
    async revoke() {
      if (grants.size === 0) return;
      const key = random.pick([...grants.keys()]);
      const [page, who = ''] = key.split(' ');
      const [subject_type, subject] = who.split(':');
      await call('revoke_permission', { page: page || null, subject_type, subject });
      grants.delete(key);
    },
    async throwAndTakeBack() {
      const page = random.pick([...pages.keys()]);
      const { batch } = await call('delete_page', { page });
      await call('restore_page', { batch });
    },
  };

  async function check(client: string): Promise<void> {
    const who = editorNamed(client);
    const seen = [...pages.keys()].filter((page) => isSeen(client, page));
    expect((await call('get_workspace', {}, who)).pages).toBe(seen.length);
    const { tree } = await call('get_page_tree', { max_tokens: 20_000 }, who);
    expect(shape(tree as Node[]).sort()).toEqual(
      // Under the parent that is seen, or at the root.
      seen.map((page) => `${seenParent(client, page)} ${page}`).sort(),
    );
    const found = (await call('search', { query: 'common words', limit: 100, mode: 'text' }, who))
      .results as Answer[];
    expect(found.length).toBe(Math.min(seen.length, 100));
    for (const page of random.shuffle([...pages.keys()]).slice(0, 4)) {
      const code = await codeOf(call('read_page', { page }, who));
      expect([page, code]).toEqual([page, isSeen(client, page) ? 'fine' : 'not_found']);
      const level = levelOf(client, page);
      const write = await codeOf(call('update_page_metadata', { page, icon: String(random.next()) }, who));
      expect([level, write]).toEqual([
        level,
        !isSeen(client, page) ? 'not_found' : level === 'read' ? 'denied' : 'fine',
      ]);
    }
  }

  const seenParent = (client: string, page: string): string => {
    const parent = pages.get(page) ?? null;
    return parent !== null && isSeen(client, parent) ? parent : '';
  };

  it(`[PERM-17][PERM-01][PERM-02] are what the rules say, in ${STEPS} steps`, async () => {
    for (let i = 0; i < 6; i += 1) await actions.add?.();
    for (let step = 1; step <= STEPS; step += 1) {
      const action = random.pick(['add', 'move', 'grant', 'grant', 'grant', 'revoke', 'throwAndTakeBack']);
      await actions[action]?.();
      if (step % CHECK_EVERY === 0) for (const client of CLIENTS) await check(client);
    }
  });
});

interface Node {
  readonly id: string;
  readonly children: readonly Node[];
}

const shape = (nodes: readonly Node[], parent = ''): string[] =>
  nodes.flatMap(({ id, children }) => [`${parent} ${id}`, ...shape(children, id)]);

const codeOf = (outcome: Promise<unknown>): Promise<string> =>
  outcome.then(
    () => 'fine',
    (error: { code?: string }) => error.code ?? String(error),
  );

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testSeed } from '../../test/support/seed.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { createSluice, type Sluice } from './create-sluice.ts';

interface Node {
  readonly id: string;
  readonly path: string;
  readonly child_count: number;
  readonly children: readonly Node[];
}

const flat = (nodes: readonly Node[]): Node[] => nodes.flatMap((node) => [node, ...flat(node.children)]);

async function everyPart(sluice: Sluice, input: Record<string, unknown>): Promise<Node[][]> {
  const parts: Node[][] = [];
  let cursor: unknown;
  do {
    const part: Record<string, unknown> = await sluice.call('get_page_tree', { ...input, cursor });
    parts.push(flat(part.tree as Node[]));
    cursor = part.next_cursor;
  } while (cursor !== undefined);
  return parts;
}

const folder = temporaryFolder();
let homes = 0;
async function withSluice(work: (sluice: Sluice) => Promise<void>): Promise<void> {
  homes += 1;
  const sluice = await createSluice({ home: `${folder}/${homes}` });
  try {
    await work(sluice);
  } finally {
    await sluice.close();
  }
}

describe('[PAGE-18] the tree of pages', () => {
  it('shows every page once, parents first, siblings in order, for any tree and budget', async () => {
    // Each number says under which of the pages before it the next one goes; 0 is the root.
    const shape = fc.array(fc.nat(), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(
        shape,
        fc.integer({ min: 50, max: 600 }),
        fc.integer({ min: 1, max: 6 }),
        async (parents, max_tokens, depth) => {
          await withSluice(async (sluice) => {
            const children = new Map<string | null, string[]>();
            const ids: (string | null)[] = [null];
            const depths = new Map<string | null, number>([[null, 0]]);
            for (const [i, choice] of parents.entries()) {
              const parent = ids[choice % ids.length] ?? null;
              const { id } = await sluice.call('create_page', { title: `P${i}`, parent });
              ids.push(id as string);
              depths.set(id as string, (depths.get(parent) ?? 0) + 1);
              children.set(parent, [...(children.get(parent) ?? []), id as string]);
            }
            const walk = (parent: string | null): string[] =>
              (children.get(parent) ?? []).flatMap((id) => [id, ...walk(id)]);
            const shown = async (input: Record<string, unknown>) =>
              (await everyPart(sluice, input)).flat().map(({ id }) => id);
            expect(await shown({ max_tokens })).toEqual(walk(null));
            expect(await shown({ max_tokens, depth })).toEqual(
              walk(null).filter((id) => (depths.get(id) ?? 0) <= depth),
            );
            const root = ids.at(-1) === undefined ? null : (ids[1] ?? null);
            expect(await shown({ max_tokens, root })).toEqual(walk(root));
            const [first] = await everyPart(sluice, { max_tokens });
            for (const node of first ?? []) expect(node.child_count).toBe(children.get(node.id)?.length ?? 0);
          });
        },
      ),
      { seed: testSeed(), numRuns: 10 },
    );
  });

  it('goes on after a page with more siblings than are read at once', async () => {
    await withSluice(async (sluice) => {
      for (let i = 0; i < 230; i += 1) await sluice.call('create_page', { title: `S${i}` });
      const all = Array.from({ length: 230 }, (_, i) => `s${i}`);
      const parts = await everyPart(sluice, { max_tokens: 3_000 });
      expect(parts.length).toBeGreaterThan(2);
      expect(parts.flat().map(({ path }) => path)).toEqual(all);
      const [whole, ...others] = await everyPart(sluice, { max_tokens: 100_000 });
      expect(others).toEqual([]);
      expect(whole?.map(({ path }) => path)).toEqual(all);
    });
  });

  it('goes on where it was when the page it stopped at is deleted', async () => {
    await withSluice(async (sluice) => {
      for (const title of ['a', 'b', 'c', 'd']) {
        const { id } = await sluice.call('create_page', { title });
        await sluice.call('create_page', { title: `${title}1`, parent: id });
      }
      const first = await sluice.call('get_page_tree', { max_tokens: 130 });
      const shown = flat(first.tree as Node[]).map(({ path }) => path);
      const last = shown.at(-1) ?? '';
      await sluice.call('delete_page', { page: last });
      const rest = await sluice.call('get_page_tree', { cursor: first.next_cursor });
      const all = ['a', 'a/a1', 'b', 'b/b1', 'c', 'c/c1', 'd', 'd/d1'];
      const expected = all.slice(shown.length).filter((path) => !path.startsWith(`${last}/`));
      expect(flat(rest.tree as Node[]).map(({ path }) => path)).toEqual(expected);
    });
  });

  it('refuses a cursor that leads nowhere here', async () => {
    await withSluice(async (sluice) => {
      const { id } = await sluice.call('create_page', { title: 'a' });
      await sluice.call('create_page', { title: 'b' });
      const { next_cursor } = await sluice.call('get_page_tree', { max_tokens: 50 });
      const wrong = { code: 'invalid_input', details: { field: 'cursor' } };
      await expect(sluice.call('get_page_tree', { root: id, cursor: next_cursor })).rejects.toMatchObject(
        wrong,
      );
      const nobody = Buffer.from('{"after":"0199a0b1-1111-7111-8111-111111111111"}').toString('base64url');
      for (const cursor of ['x', nobody]) {
        await expect(sluice.call('get_page_tree', { cursor })).rejects.toMatchObject(wrong);
      }
      await expect(sluice.call('get_page_tree', { root: 'nowhere' })).rejects.toMatchObject({
        code: 'not_found',
        details: { field: 'root' },
      });
    });
  });
});

/** Several people and agents at once, through the whole pipeline: nothing is lost, nothing is spliced, one wins. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSluice, type Sluice, type SluiceClient } from '../../src/app/create-sluice.ts';
import { SluiceError } from '../../src/kernel/errors.ts';
import { expectConsistent } from '../support/check-consistency.ts';
import { onEachStore } from '../support/each-store.ts';
import { useFreshDatabase } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

type Answer = Record<string, unknown>;

onEachStore('callers at the same time', (under) => {
  const home = temporaryFolder();
  let sluice: Sluice | undefined;
  let number = 0;
  beforeAll(async () => {
    if (under.available()) sluice = await createSluice({ home, config: under.config() });
  });
  afterAll(async () => {
    if (!sluice) return;
    await sluice.close();
    await expectConsistent(home, under.config());
  });

  const author = (name: string): SluiceClient =>
    (sluice as Sluice).as({ name, role: 'owner', kind: 'author', origin: 'authored' });
  const create = async (content = '', given: Answer = {}): Promise<{ id: string; version: string }> => {
    number += 1;
    const page = await author('ann').call('create_page', { title: `Page ${number}`, content, ...given });
    return { id: String(page.id), version: String(page.version) };
  };
  const read = (page: string): Promise<Answer> =>
    author('ann').call('read_page', { page, max_tokens: 20_000 });

  async function outcomes(
    calls: readonly Promise<Answer>[],
  ): Promise<{ landed: Answer[]; refused: SluiceError[] }> {
    const settled = await Promise.allSettled(calls);
    const failed = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    expect(failed.filter((error) => !(error instanceof SluiceError))).toEqual([]);
    return {
      landed: settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])),
      refused: failed as SluiceError[],
    };
  }

  it('[DUR-05] keeps both edits when two authors change different blocks of the same version', async () => {
    const { id, version } = await create('one\n\ntwo\n\nthree\n');
    const edit = (name: string, content: string): Promise<Answer> =>
      author(name).call('update_page_content', { page: id, content, base_version: version });
    const { landed } = await outcomes([
      edit('ann', 'ONE\n\ntwo\n\nthree\n'),
      edit('bob', 'one\n\ntwo\n\nTHREE\n'),
      edit('cyd', 'one\n\ntwo\n\nthree\n'),
    ]);
    expect(landed).toHaveLength(3);
    expect((await read(id)).content).toBe('ONE\n\ntwo\n\nTHREE\n');
    expect(landed.filter((answer) => answer.merged)).not.toEqual([]);
  });

  it('[DUR-05] lets one of two land that change the same block, and shows the other both texts', async () => {
    const { id, version } = await create('one\n\nshared\n\nthree\n');
    const texts = ['hers', 'his'].map((word) => `one\n\n${word}\n\nthree\n`);
    const { landed, refused } = await outcomes(
      texts.map((content, i) =>
        author(`author-${i}`).call('update_page_content', { page: id, content, base_version: version }),
      ),
    );
    expect([landed.length, refused.length]).toEqual([1, 1]);
    const { content, version: head } = await read(id);
    expect(texts).toContain(content);
    const won = String(content).includes('hers') ? 'hers' : 'his';
    const [lost] = ['hers', 'his'].filter((word) => word !== won);
    expect(refused[0]).toMatchObject({
      code: 'conflict',
      details: {
        reason: 'overlap',
        version: head,
        conflicts: [{ base: 'shared\n\n', head: `${won}\n\n`, yours: `${lost}\n\n` }],
      },
    });
  });

  it('[DUR-05] has all of sixteen writers in the page who each edit a block of their own', async () => {
    const blocks = Array.from({ length: 16 }, (_, i) => `block ${i} as it was`);
    const { id, version } = await create(`${blocks.join('\n\n')}\n`);
    const { landed } = await outcomes(
      blocks.map((_, i) =>
        author(`writer-${i}`).call('update_page_content', {
          page: id,
          content: `${blocks.map((block, j) => (i === j ? `block ${i} by writer ${i}` : block)).join('\n\n')}\n`,
          base_version: version,
        }),
      ),
    );
    expect(landed).toHaveLength(16);
    expect((await read(id)).content).toBe(
      `${blocks.map((_, i) => `block ${i} by writer ${i}`).join('\n\n')}\n`,
    );
  });

  it('[DUR-05] has all of sixteen writers in the page who append, each trying again after a conflict', async () => {
    const { id } = await create('Beginning.\n');
    const append = async (i: number): Promise<number> => {
      for (let attempt = 1; ; attempt += 1) {
        const { content, version } = await read(id);
        try {
          const wanted = {
            page: id,
            content: `${String(content)}\nWriter ${i} was here.\n`,
            base_version: version,
          };
          await author(`writer-${i}`).call('update_page_content', wanted);
          return attempt;
        } catch (error) {
          if (!(error instanceof SluiceError) || error.code !== 'conflict' || attempt > 100) throw error;
        }
      }
    };
    await Promise.all(Array.from({ length: 16 }, (_, i) => append(i)));
    const lines = String((await read(id)).content)
      .split('\n')
      .filter((line) => line.startsWith('Writer'));
    expect(lines.toSorted()).toEqual(
      Array.from({ length: 16 }, (_, i) => `Writer ${i} was here.`).toSorted(),
    );
  });

  it('[DUR-06] gives a page that two rename at once one of the titles, and links that say it', async () => {
    const { id } = await create('', { title: 'Contested' });
    const links = await create('To [[Contested]], [again](Contested.md).\n');
    const { landed } = await outcomes([
      author('ann').call('rename_page', { page: id, title: 'Hers' }),
      author('bob').call('rename_page', { page: id, title: 'His' }),
    ]);
    expect(landed).toHaveLength(2);
    const { title } = await read(id);
    expect(['Hers', 'His']).toContain(title);
    expect((await read(links.id)).content).toBe(`To [[${title}]], [again](${title}.md).\n`);
    expect((await author('ann').call('get_backlinks', { page: id })).total).toBe(2);
  });

  it('[DUR-06] keeps an edit and the rename that rewrites the same page, in whatever order they come', async () => {
    for (let round = 0; round < 4; round += 1) {
      const target = await create('', { title: `Moving target ${round}` });
      const source = await create(`To [[Moving target ${round}]].\n\nBlock.\n`);
      const edit = author('ann').call('update_page_content', {
        page: source.id,
        content: `To [[Moving target ${round}]].\n\nBlock, edited.\n`,
        base_version: source.version,
      });
      const rename = author('bob').call('rename_page', { page: target.id, title: `Hit target ${round}` });
      const { landed } = await outcomes(round % 2 === 0 ? [edit, rename] : [rename, edit]);
      expect(landed).toHaveLength(2);
      expect((await read(source.id)).content).toBe(`To [[Hit target ${round}]].\n\nBlock, edited.\n`);
    }
  });

  it('[DUR-07] refuses exactly one of two moves that would make a circle together', async () => {
    const [a, b] = [await create(), await create()];
    const { landed, refused } = await outcomes([
      author('ann').call('move_page', { page: a.id, parent: b.id }),
      author('bob').call('move_page', { page: b.id, parent: a.id }),
    ]);
    expect(landed).toHaveLength(1);
    expect(refused).toMatchObject([{ code: 'conflict', details: { reason: 'cycle' } }]);
  });

  it('[DUR-07] leaves a tree behind when a ring of pages is moved at once', async () => {
    const ring = await Promise.all(Array.from({ length: 8 }, () => create()));
    const { landed, refused } = await outcomes(
      ring.map(({ id }, i) =>
        author(`mover-${i}`).call('move_page', { page: id, parent: ring[(i + 1) % 8]?.id }),
      ),
    );
    expect([landed.length, refused.length]).toEqual([7, 1]);
    expect(refused[0]).toMatchObject({ code: 'conflict', details: { reason: 'cycle' } });
  });

  it('[DUR-08] has one effect and one answer for an idempotency key, however often it is used at once', async () => {
    const wish = { title: 'Only once', content: 'Once.\n', idempotency_key: 'key-1' };
    const { landed } = await outcomes(
      Array.from({ length: 10 }, () => author('ann').call('create_page', wish)),
    );
    expect(new Set(landed.map((answer) => answer.id)).size).toBe(1);
    expect(landed).toHaveLength(10);
    const { results } = await author('ann').call('search', { query: '"Only once"' });
    expect(results).toHaveLength(1);
    const { refused } = await outcomes([author('ann').call('create_page', { ...wish, content: 'Twice.\n' })]);
    expect(refused).toMatchObject([{ code: 'conflict', details: { reason: 'idempotency' } }]);
    // Another caller's key of the same name is another key.
    expect((await author('bob').call('create_page', wish)).id).not.toBe(landed[0]?.id);
  });

  it('[DUR-08] has nothing of a call that failed under its key: the next one is the first', async () => {
    const { id, version } = await create('text\n');
    await author('ann').call('update_page_content', {
      page: id,
      content: 'changed\n',
      base_version: version,
    });
    const wish = { page: id, content: 'mine\n', base_version: version, idempotency_key: 'key-2' };
    await expect(author('ann').call('update_page_content', wish)).rejects.toMatchObject({ code: 'conflict' });
    await expect(author('ann').call('update_page_content', wish)).rejects.toMatchObject({ code: 'conflict' });
    expect((await read(id)).content).toBe('changed\n');
  });

  it('[DUR-09] gives pages of the same title that are made at once slugs and places of their own', async () => {
    const parent = await create();
    const { landed } = await outcomes(
      Array.from({ length: 12 }, (_, i) =>
        author(`maker-${i}`).call('create_page', { title: 'Namesake', content: '', parent: parent.id }),
      ),
    );
    expect(landed.map((answer) => answer.slug).toSorted()).toEqual(
      ['namesake', ...Array.from({ length: 11 }, (_, i) => `namesake-${i + 2}`)].toSorted(),
    );
  });

  it('[DUR-09] restores a page once when two restore it at once, and trashes it once when two trash it', async () => {
    const { id } = await create('to and fro\n');
    const trash = await outcomes([
      author('ann').call('delete_page', { page: id }),
      author('bob').call('delete_page', { page: id }),
    ]);
    expect([trash.landed.length, trash.refused.map(({ code }) => code)]).toEqual([1, ['not_found']]);
    const batch = trash.landed[0]?.batch;
    const restore = await outcomes([
      author('ann').call('restore_page', { batch }),
      author('bob').call('restore_page', { page: id }),
    ]);
    expect([restore.landed.length, restore.refused.map(({ code }) => code)]).toEqual([1, ['conflict']]);
  });

  it('[DUR-09] lets readers read on while writers write, each reading one state', async () => {
    const { id, version } = await create('0\n\n0\n');
    let head = version;
    const writer = (async () => {
      for (let i = 1; i <= 30; i += 1) {
        const answer = await author('ann').call('update_page_content', {
          page: id,
          content: `${i}\n\n${i}\n`,
          base_version: head,
        });
        head = String(answer.version);
      }
    })();
    const readers = Array.from({ length: 6 }, async (_, i) => {
      for (let n = 0; n < 30; n += 1) {
        const { content } = await author(`reader-${i}`).call('read_page', { page: id });
        const [first, second] = String(content).trim().split('\n\n');
        expect(first).toBe(second);
      }
    });
    await Promise.all([writer, ...readers]);
    expect((await read(id)).content).toBe('30\n\n30\n');
  });
});

describe('callers of two gateways on one PostgreSQL database', () => {
  const database = useFreshDatabase();
  const homes = [temporaryFolder(), temporaryFolder()];
  const gateways: Sluice[] = [];
  const config = () => ({ 'store.kind': 'postgres' as const, 'store.url': database.url ?? '' });
  beforeAll(async () => {
    if (database.url === undefined) return;
    // At once, on an empty database: whoever is later finds what the other made.
    gateways.push(...(await Promise.all(homes.map((home) => createSluice({ home, config: config() })))));
  });
  afterAll(async () => {
    await Promise.all(gateways.map((gateway) => gateway.close()));
    if (gateways.length > 0) for (const home of homes) await expectConsistent(home, config());
  });
  const [here, there] = [0, 1].map(
    (i) => (tool: string, input: Answer) => (gateways[i] as Sluice).call(tool, input),
  ) as [(tool: string, input: Answer) => Promise<Answer>, (tool: string, input: Answer) => Promise<Answer>];

  it('[DUR-10] begin a new database together with one workspace', async () => {
    const { workspaces } = await here('workspace.list', {});
    expect(workspaces).toMatchObject([{ name: 'default', open: true }]);
  });

  it('[DUR-10] have all their edits of one page, made at once on both sides', async () => {
    const blocks = Array.from({ length: 16 }, (_, i) => `block ${i} as it was`);
    const { id, version } = await here('create_page', {
      title: 'Shared',
      content: `${blocks.join('\n\n')}\n`,
    });
    await Promise.all(
      blocks.map((_, i) =>
        (i % 2 === 0 ? here : there)('update_page_content', {
          page: id,
          content: `${blocks.map((block, j) => (i === j ? `block ${i}, edited` : block)).join('\n\n')}\n`,
          base_version: version,
        }),
      ),
    );
    const { content } = await there('read_page', { page: id });
    expect(content).toBe(`${blocks.map((_, i) => `block ${i}, edited`).join('\n\n')}\n`);
  });

  it('[DUR-10] make no circle between them, no slug twice, and one effect of one key', async () => {
    const [a, b] = [await here('create_page', { title: 'A' }), await there('create_page', { title: 'B' })];
    const moves = await Promise.allSettled([
      here('move_page', { page: a.id, parent: b.id }),
      there('move_page', { page: b.id, parent: a.id }),
    ]);
    expect(moves.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
    const made = await Promise.all(
      Array.from({ length: 10 }, (_, i) => (i % 2 === 0 ? here : there)('create_page', { title: 'Same' })),
    );
    expect(new Set(made.map((page) => page.slug)).size).toBe(10);
    const wish = { title: 'Once', idempotency_key: 'shared' };
    const once = await Promise.all(
      Array.from({ length: 6 }, (_, i) => (i % 2 === 0 ? here : there)('create_page', wish)),
    );
    expect(new Set(once.map((page) => page.id)).size).toBe(1);
  });
});

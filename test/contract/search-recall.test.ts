/** What a search must not miss, on both stores: words of scripts without spaces, words slightly misspelled. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSluice, type Sluice } from '../../src/index.ts';
import { onEachStore } from '../support/each-store.ts';
import { randomFor, times } from '../support/random.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Characters to surround a word with, so that nothing shows where it begins and ends. */
const SCRIPTS: readonly { readonly name: string; readonly words: string[]; readonly around: string }[] = [
  {
    name: 'Chinese',
    words: ['笔记', '链接', '数据库', '图'],
    around: '我们在这个页面上写下关于今天工作的内容',
  },
  {
    name: 'Japanese',
    words: ['リンク', 'ノート', '設定', '検索'],
    around: 'このページにはいろいろなことをかいてあり今日',
  },
  { name: 'Korean', words: ['노트', '검색', '데이터'], around: '우리는이페이지에오늘일을적었다그리고' },
  { name: 'Thai', words: ['โน้ต', 'ลิงก์', 'ค้นหา'], around: 'เราเขียนเรื่องงานวันนี้ไว้ในหน้านี้แล้ว' },
  { name: 'Lao', words: ['ບັນທຶກ', 'ຄົ້ນຫາ'], around: 'ພວກເຮົາຂຽນເລື່ອງວຽກມື້ນີ້' },
  { name: 'Khmer', words: ['កំណត់', 'ស្វែងរក'], around: 'យើងសរសេរអំពីការងារថ្ងៃនេះ' },
];

interface Result {
  readonly title: string;
  readonly why: readonly string[];
}

onEachStore('a search', (under) => {
  let sluice: Sluice;
  const random = randomFor('recall');
  const holding = new Map<string, Set<string>>();

  beforeAll(async () => {
    if (!under.available()) return;
    sluice = await createSluice({ home: temporaryFolder(), config: under.config() });
    for (const script of SCRIPTS) {
      const filler = (): string =>
        Array.from({ length: random.between(0, 25) }, () => random.pick([...script.around])).join('');
      for (let i = 0; i < times(12, 150); i += 1) {
        const word = random.pick(script.words);
        const title = `${script.name} ${i}`;
        const content = `${filler()}${random.oneIn(4) ? '' : word}${filler()}`;
        await sluice.call('create_page', { title, content });
        for (const any of script.words)
          if (content.includes(any)) holding.set(any, (holding.get(any) ?? new Set()).add(title));
      }
    }
    await sluice.call('create_page', { title: 'Port', content: 'The harbour is quiet; the lantern burns.' });
    await sluice.call('create_page', { title: 'Hill', content: 'A lantern and an environment.' });
  });
  afterAll(() => sluice?.close());

  const search = async (query: string, more: Record<string, unknown> = {}): Promise<readonly Result[]> =>
    (await sluice.call('search', { query, limit: 100, ...more })).results as Result[];

  it('[SEM-15] finds every page with a word of a script without spaces, wherever it stands', async () => {
    for (const [word, pages] of holding) {
      const { results, next_cursor } = await sluice.call('search', { query: word, limit: 100 });
      const found = new Set((results as Result[]).map(({ title }) => title));
      for (let cursor = next_cursor; cursor !== undefined; ) {
        const next = await sluice.call('search', { query: word, limit: 100, cursor });
        for (const { title } of next.results as Result[]) found.add(title);
        cursor = next.next_cursor;
      }
      expect([word, [...pages].filter((title) => !found.has(title))]).toEqual([word, []]);
    }
  });

  describe('[SEM-14] for a misspelled word', () => {
    it('finds what was meant and says how it was read', async () => {
      const found = await search('harobur');
      expect(found.map(({ title }) => title)).toEqual(['Port']);
      expect(found[0]?.why).toEqual(['fuzzy: "harobur" read as "harbour"']);
      expect((await search('enviroment')).map(({ title }) => title)).toEqual(['Hill']);
    });

    it('puts pages that have what was written first', async () => {
      const found = await search('harbour lantrn');
      expect(found.map(({ title }) => title)).toEqual(['Port', 'Hill']);
      expect(found[1]?.why).toEqual(['fuzzy: "lantrn" read as "lantern"']);
    });

    it('goes by no word that stands only where it does not look', async () => {
      const { id } = await sluice.call('create_page', { title: 'Elsewhere', content: 'lanntern' });
      const lit = await sluice.call('create_page', { title: 'Lit', content: 'lantern', tags: ['lit'] });
      expect((await search('lanntern'))[0]?.title).toBe('Elsewhere');
      expect((await search('lanntern tag:lit')).map(({ title }) => title)).toEqual(['Lit']);
      for (const page of [id, lit.id]) await sluice.call('delete_page', { page });
    });

    it('looks for nothing else where filters, exclusions and phrases speak against it', async () => {
      expect(await search('harobur tag:none')).toEqual([]);
      expect(await search('harobur -quiet')).toEqual([]);
      expect(await search('"harobur"')).toEqual([]);
      expect(await search('zzzz xqxqxq')).toEqual([]);
    });
  });

  it('[SEM-12] finds nothing below a page that is not there', async () => {
    expect(await search('lantern under:nowhere')).toEqual([]);
    expect(await search('under:nowhere')).toEqual([]);
  });

  describe('[SEM-12] where more pages match than are looked at at once', () => {
    const MANY = 220;
    beforeAll(async () => {
      if (!under.available()) return;
      for (let i = 0; i < MANY; i += 20)
        await Promise.all(
          Array.from({ length: 20 }, (_, j) =>
            sluice.call('create_page', {
              title: `Many ${i + j}`,
              content: `plenty of the same${' and more'.repeat((i + j) % 7)}${(i + j) % 110 === 0 ? ' so rare' : ''}`,
              tags: ['bulk'],
            }),
          ),
        );
    });

    const inParts = async (
      query: string,
      more: Record<string, unknown> = {},
      call: Sluice['call'] = sluice.call,
      between: () => Promise<unknown> = async () => undefined,
    ): Promise<string[]> => {
      const seen: string[] = [];
      for (let cursor: unknown; ; ) {
        const answer = await call('search', { query, ...more, ...(cursor !== undefined && { cursor }) });
        expect(answer.truncated).toBe(false);
        seen.push(...(answer.results as Result[]).map(({ title }) => title));
        cursor = answer.next_cursor;
        if (cursor === undefined) return seen;
        await between();
      }
    };

    it.each(['tag:bulk', 'plenty'])('finds each of them once: %s', async (query) => {
      const all = await inParts(query, { limit: 100 });
      expect([all.length, new Set(all).size]).toEqual([MANY, MANY]);
    });

    it('has them in the same order, however large the parts', async () => {
      const all = await inParts('plenty', { limit: 90 });
      expect(await inParts('plenty', { limit: 100 })).toEqual(all);
    });

    it('goes on past those that phrases and exclusions leave out', async () => {
      expect((await inParts('"so rare"', { limit: 1 })).sort()).toEqual(['Many 0', 'Many 110']);
      expect(await inParts('plenty -"so rare"', { limit: 90 })).toHaveLength(MANY - 2);
    });

    it('neither repeats nor skips any while pages come and go', async () => {
      let fresh = 0;
      const seen = await inParts('plenty', { limit: 80 }, sluice.call, () => {
        fresh += 1;
        return sluice.call('create_page', { title: `Fresh ${fresh}`, content: 'other words, plenty' });
      });
      const old = seen.filter((title) => title.startsWith('Many'));
      expect([old.length, new Set(seen).size]).toEqual([MANY, seen.length]);
      for (; fresh > 0; fresh -= 1) await sluice.call('delete_page', { page: `fresh-${fresh}` });
    });

    it('shows nobody what is hidden, nor a gap where it is', async () => {
      for (let i = 0; i < 3; i += 1)
        await sluice.call('grant_permission', {
          page: `many-${i * 70}`,
          subject_type: 'role',
          subject: 'agent',
          level: 'hidden',
        });
      const agent = sluice.as({ name: 'ag', role: 'agent', kind: 'agent' });
      for (const query of ['tag:bulk', 'plenty']) {
        const seen = await inParts(query, { limit: 100 }, agent.call);
        expect([query, seen.length, new Set(seen).size]).toEqual([query, MANY - 3, MANY - 3]);
      }
    });

    it('[SEM-14] reads no word as another', async () => {
      expect(await inParts('same harobur', { limit: 10 })).not.toContain('Port');
    });

    it('says so where the cursor does not lead to all of them', async () => {
      expect((await sluice.call('search', { query: 'plentty' })).truncated).toBe(true);
      expect((await sluice.call('search', { query: 'harobur' })).truncated).toBe(false);
    });

    it('takes no cursor that is made up', async () => {
      const { next_cursor } = await sluice.call('search', { query: 'plenty', limit: 100 });
      const { of } = JSON.parse(Buffer.from(String(next_cursor), 'base64url').toString());
      for (const past of [
        { score: 1, at: 1, id: '\u0000', count: 1, out: '' },
        { score: 1, at: 1.5, id: '01900000-0000-7000-8000-000000000000', count: 1, out: '' },
        { score: 1, at: 1, id: '01900000-0000-7000-8000-000000000000', count: -21, out: '' },
      ]) {
        const cursor = Buffer.from(JSON.stringify({ of, past })).toString('base64url');
        await expect(sluice.call('search', { query: 'plenty', cursor })).rejects.toMatchObject({
          code: 'invalid_input',
        });
      }
    });
  });
});

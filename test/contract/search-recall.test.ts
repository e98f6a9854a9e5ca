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

    it('looks for nothing else where filters, exclusions and phrases speak against it', async () => {
      expect(await search('harobur tag:none')).toEqual([]);
      expect(await search('harobur -quiet')).toEqual([]);
      expect(await search('"harobur"')).toEqual([]);
      expect(await search('zzzz xqxqxq')).toEqual([]);
    });
  });

  it('[SEM-12] says when more pages match than it looks at, and still ends every list', async () => {
    for (let i = 0; i < 201; i += 20)
      await Promise.all(
        Array.from({ length: 20 }, (_, j) =>
          sluice.call('create_page', { title: `Many ${i + j}`, content: 'plenty of the same' }),
        ),
      );
    const seen = new Set<string>();
    let cursor: unknown;
    do {
      const answer = await sluice.call('search', {
        query: 'plenty',
        limit: 60,
        ...(cursor !== undefined && { cursor }),
      });
      expect(answer.truncated).toBe(true);
      for (const { title } of answer.results as Result[]) seen.add(title);
      cursor = answer.next_cursor;
    } while (cursor !== undefined);
    expect(seen.size).toBe(200);
    expect((await sluice.call('search', { query: 'harbour' })).truncated).toBe(false);
  });
});

/** Recall is complete where words have no spaces: what stands in a text is found, wherever it stands. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyze } from './analyze.ts';
import { foldText } from './fold.ts';
import { parseQuery } from './parse-query.ts';

const alphabets: [script: string, characters: string][] = [
  ['Han', '东京都大学生笔记链接页面中国人民𠀀𠮷々〇'],
  ['Japanese', 'あいうえおがぱリンクテストー東京駅々'],
  ['Korean', '노트를쓰다가나각한글페이지'],
  ['Thai', 'กขคนตภษาไทยโเ้่ิีุำะๆ'],
  ['Lao', 'ກຂຄນຕພາສາລາວໂເ້່ິີຸ'],
  ['Khmer', 'កខគភាសាខ្មែរេោះ្'],
  ['Myanmar', 'ကခဂမြန်မာစာေို့း်'],
];

describe.each(alphabets)('%s', (_, characters) => {
  const letters = [...characters];
  // Folding puts marks in order; a part is taken of what a reader would see.
  const run = fc
    .array(fc.constantFrom(...letters), { minLength: 2, maxLength: 30 })
    .map((text) => foldText(text.join('')));
  const around = fc.constantFrom('', ' ', 'abc ', '。', '12', '\n');

  it('finds any part of at least two characters', () => {
    fc.assert(
      fc.property(run, around, around, fc.nat(), fc.nat(), (text, before, after, seedFrom, seedLength) => {
        const points = [...text];
        fc.pre(points.length >= 2);
        const from = seedFrom % (points.length - 1);
        const length = 2 + (seedLength % (points.length - from - 1));
        const part = points.slice(from, from + length).join('');
        const indexed = new Set(analyze(before + text + after));
        const { tokens } = parseQuery(part);
        expect(tokens.length).toBeGreaterThan(0);
        for (const token of tokens) expect(indexed).toContain(token);
      }),
      { numRuns: 500 },
    );
  });
});

describe('known words in made-up pages', () => {
  const pages = {
    zh: '我们每天在这里写笔记，并把笔记链接到别的页面。',
    ja: 'このページにリンクを追加して、東京都の会議メモを残す。',
    ko: '회의 노트를 작성하고 페이지에 링크를 추가합니다.',
    th: 'เราจดโน้ตการประชุมและเชื่อมโยงหน้าเว็บภาษาไทย',
    other: 'Meeting notes with a link to another page.',
  };
  const found = (query: string): string[] => {
    const tokens = parseQuery(query).words.flatMap((word) => word.tokens);
    return Object.entries(pages)
      .filter(([, text]) => tokens.every((token) => new Set(analyze(text)).has(token)))
      .map(([name]) => name);
  };

  it.each([
    ['笔记', ['zh']],
    ['链接', ['zh']],
    ['リンク', ['ja']],
    ['東京', ['ja']],
    ['会議', ['ja']],
    ['노트', ['ko']],
    ['링크', ['ko']],
    ['โน้ต', ['th']],
    ['ประชุม', ['th']],
    ['ภาษา', ['th']],
    ['notes', ['other']],
    ['笔链', []],
  ])('%s', (word, names) => {
    expect(found(word)).toEqual(names);
  });
});

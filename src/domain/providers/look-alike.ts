/** One spelling for all names that look the same: case, width, accents, look-alike letters and invisible characters. */

/** Letters of other alphabets, and digits, that are drawn like Latin ones. */
const DRAWN_ALIKE: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ['a', 'аαɑ'],
    ['b', 'ЬвВβ'],
    ['c', 'сϲ'],
    ['d', 'ԁ'],
    ['e', 'еεё'],
    ['g', 'ɡ'],
    ['h', 'һнН'],
    ['i', 'іιı1l|'],
    ['j', 'ј'],
    ['k', 'кκ'],
    ['m', 'мМ'],
    ['n', 'пη'],
    ['o', 'оοσ0'],
    ['p', 'рρ'],
    ['q', 'ԛ'],
    ['r', 'гr'],
    ['s', 'ѕ5'],
    ['t', 'тτ'],
    ['u', 'υц'],
    ['v', 'ѵν'],
    ['w', 'ԝω'],
    ['x', 'хχ'],
    ['y', 'уγү'],
    ['z', 'ᴢ'],
  ].flatMap(([latin = '', others = '']) => [...others].map((other) => [other, latin])),
);

/** Letter by letter what it is drawn like; digits stay. */
export const looksLatin = (word: string): string =>
  Array.from(word.normalize('NFKC').toLowerCase(), (letter) =>
    /[0-9|l]/.test(letter) ? letter : (DRAWN_ALIKE[letter] ?? letter),
  ).join('');

export function looksLike(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}|\p{Cf}|\p{Cc}|\p{Zs}|[_.-]/gu, '')
    .toLowerCase();
  return Array.from(plain, (letter) => DRAWN_ALIKE[letter] ?? letter).join('');
}

/** Characters that a person does not see and a model reads, and sequences that steer a terminal. */

/** From and to, by code point. Tab, line ends, joiners inside of emoji and the two usual variation selectors stay. */
const UNSEEN: readonly (readonly [number, number])[] = [
  [0x00, 0x08], // controls
  [0x0b, 0x0c],
  [0x0e, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad], // soft hyphen
  [0x34f, 0x34f],
  [0x61c, 0x61c], // directions
  [0x115f, 0x1160], // fillers
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200b], // zero width
  [0x200e, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0d], // variation selectors
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff9, 0xfffb],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff], // tags
];

const point = (code: number): string => `\\u{${code.toString(16)}}`;
const unseen = new RegExp(`[${UNSEEN.map(([from, to]) => `${point(from)}-${point(to)}`).join('')}]`, 'gu');

/** Sequences for terminals, whole: alone, their first character would go and the visible rest stay. */
const ESC = point(0x1b);
const BEL = point(0x07);
const escapes = new RegExp(
  [
    `${ESC}\\[[0-?]*[ -\\/]*[@-~]`,
    `${ESC}\\][^${BEL}${ESC}]*(?:${BEL}|${ESC}\\\\)?`,
    `${ESC}[PX^_][^${ESC}]*(?:${ESC}\\\\)?`,
    `${ESC}[@-Z\\\\-_]`,
    `${point(0x9b)}[0-?]*[ -\\/]*[@-~]`,
  ].join('|'),
  'gu',
);

export interface Cleaned {
  readonly text: string;
  readonly removed: number;
}

export function removeInvisible(text: string): Cleaned {
  let removed = 0;
  const drop = (): string => {
    removed += 1;
    return '';
  };
  const clean = text.replace(escapes, drop).replace(unseen, drop);
  return { text: clean, removed };
}

/** Text as a model understands it whatever it is written in: without hidden characters, look-alikes and digits for letters. */
import { looksLatin } from '../look-alike.ts';
import { removeInvisible } from './invisible.ts';

const LEET: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
  '!': 'i',
  '|': 'i',
};

/** Letters that are drawn small or turned and mean the plain ones. */
const SMALL_CAPITALS: Readonly<Record<string, string>> = Object.fromEntries(
  [...'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ'].map((small, at) => [small, 'abcdefghijklmnoprstuvwyz'[at] ?? '']),
);

/** Lower case, one form for each letter; line ends are spaces. */
export function plainText(text: string): string {
  return removeInvisible(text.normalize('NFKC'))
    .text.replaceAll(/[\u200c\u200d]/g, '')
    .toLowerCase();
}

export const wordsOf = (plain: string): readonly string[] => plain.match(/[\p{L}\p{M}\p{N}_]+/gu) ?? [];

/** The same words for a second look, in which a word of mixed signs is read as the Latin word it imitates. */
export function imitatedWords(plain: string): readonly string[] {
  const signs = plain.match(/[\p{L}\p{M}\p{N}_@$!|]+/gu) ?? [];
  return signs.map((word) => (isMixed(word) ? imitated(word) : word));
}

const imitated = (word: string): string =>
  Array.from(looksLatin(word).normalize('NFD').replaceAll(/\p{M}/gu, ''), (sign) => {
    const small = SMALL_CAPITALS[sign] ?? sign;
    return LEET[small] ?? small;
  }).join('');

/** Latin letters with digits, signs or letters of another alphabet among them, or letters that only look Latin. */
function isMixed(word: string): boolean {
  if (/[ᴀ-ᴢɢɪɴʀʙʏʜʟꜰꜱ]/u.test(word)) return true;
  return /[a-z]/.test(word) && /[^a-z_]/.test(word) && !/^[a-z_]+\d*$/.test(word);
}

/** What only changes how letters look, inside of a word: "ign**ore**", "prev_ious_", "ign<b>ore</b>". */
const MARKUP = /[*_~`]{1,6}|<\/?[a-z]{1,10}>|<!--[^<>]{0,200}-->/g;
const INSIDE = /\p{L}(?:[*_~`]{1,6}|<\/?[a-z]{1,10}>|<!--[^<>]{0,200}-->)\p{L}/u;

/** Undefined where no word has such a thing in it. */
export const withoutMarkup = (plain: string): string | undefined =>
  INSIDE.test(plain) ? plain.replaceAll(MARKUP, '') : undefined;

/** Words whose letters were set apart, as in "i g n o r e" or "i-g-n-o-r-e", put together again. */
export function gatheredWords(plain: string): string | undefined {
  const runs = plain.match(
    /(?<![\p{L}\p{N}])[\p{L}\p{N}](?:[ ._*\-–—|/\n]{1,3}[\p{L}\p{N}](?![\p{L}\p{N}])){5,}/gu,
  );
  return runs?.map((run) => run.replaceAll(/[^\p{L}\p{N}]/gu, '')).join(' ');
}

/**
 * Folding: the one form in which text is compared. NFKC, invisible characters dropped, case folded, diacritics
 * removed from Latin, Greek and Cyrillic, optional vowel signs removed from Arabic and Hebrew, typographic
 * quotes and dashes made plain. Marks that carry the word (Thai, Devanagari, Kana voicing …) are kept.
 */
import { boundedMemo, longestMemoKey } from './bounded-memo.ts';
import { attachedSign, classOf, trailingCharacter } from './character-class.ts';

/** A folded text and, for each of its code units, which range of the source it came from. */
export interface FoldedText {
  text: string;
  starts: Uint32Array;
  ends: Uint32Array;
}

const notAscii = /[^\0-\x7f]/;
/** Invisible characters, and marks that enclose a character (`1️⃣`) without changing it. */
const invisible = /[\p{DI}\p{Me}]/gu;
const accentedLetter = /(?<=[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}])\p{M}+/gu;
/** Only marks of no script of their own are accents: a Thai vowel behind a Latin letter stays. */
const accent = /[\p{sc=Inherited}\u0483-\u0487]/gu;
const hasAccentedScript = /[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}]/u;
/** Arabic short vowels, Quranic signs and tatweel; Hebrew points and cantillation: written or not, same word. */
const optionalSign =
  /[\u0610-\u061A\u0640\u064B-\u0652\u0656-\u065F\u0670\u06D6-\u06DC\u06DF-\u06E4\u06E7\u06E8\u06EA-\u06ED\u08CA-\u08E1\u08E3-\u08FF\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7]/gu;

/** What lower-casing and decomposition leave apart although people type one for the other. */
const alike: Readonly<Record<string, string>> = {
  ß: 'ss',
  ς: 'σ',
  ı: 'i',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ħ: 'h',
  ŧ: 't',
  أ: 'ا',
  إ: 'ا',
  آ: 'ا',
  ٱ: 'ا',
  '‘': "'",
  '’': "'",
  '‚': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '‟': '"',
  '‐': '-',
  '‑': '-',
  '‒': '-',
  '–': '-',
  '—': '-',
  '−': '-',
};
const alikeCharacter = new RegExp(`[${Object.keys(alike).join('')}]`, 'gu');

/** More marks on one letter than any language writes; ICU orders them in quadratic time. */
const longestCluster = 32;

export function foldText(source: string): string {
  if (!notAscii.test(source)) return source.toLowerCase();
  const pieces: string[] = [];
  eachStretch(source, (folded) => pieces.push(folded));
  return pieces.join('');
}

export function foldWithMap(source: string): FoldedText {
  const pieces: string[] = [];
  let starts = new Uint32Array(source.length + 32);
  let ends = new Uint32Array(source.length + 32);
  let length = 0;
  eachStretch(source, (folded, start, end, isAscii) => {
    pieces.push(folded);
    while (length + folded.length > starts.length) {
      starts = doubled(starts);
      ends = doubled(ends);
    }
    for (let unit = 0; unit < folded.length; unit += 1) {
      starts[length] = isAscii ? start + unit : start;
      ends[length] = isAscii ? start + unit + 1 : end;
      length += 1;
    }
  });
  return { text: pieces.join(''), starts: starts.subarray(0, length), ends: ends.subarray(0, length) };
}

function doubled(map: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(map.length * 2);
  larger.set(map);
  return larger;
}

/** The range of the source behind the folded range `from` to `to`, which must not be empty. */
export function sourceRange(folded: FoldedText, from: number, to: number): [start: number, end: number] {
  return [folded.starts[from] ?? 0, folded.ends[to - 1] ?? 0];
}

/**
 * Visits the text in stretches: plain ASCII, which folds character by character, or one cluster, which is what
 * can only be folded together: a character with the marks behind it, or the letters of one Hangul syllable.
 * Folding cluster by cluster is what makes the map possible and keeps the cost linear.
 */
function eachStretch(
  source: string,
  visit: (folded: string, start: number, end: number, isAscii: boolean) => void,
): void {
  let start = 0;
  while (start < source.length) {
    const plain = asciiEnd(source, start);
    if (plain > start) {
      visit(source.slice(start, plain).toLowerCase(), start, plain, true);
      start = plain;
    } else {
      const end = clusterEnd(source, start);
      visit(foldCluster(source.slice(start, end)), start, end, false);
      start = end;
    }
  }
}

/** The end of the ASCII characters from `start`, without a last one that marks belong to. */
function asciiEnd(source: string, start: number): number {
  let end = start;
  while (end < source.length && source.charCodeAt(end) < 0x80) end += 1;
  if (end === start || end === source.length) return end;
  return (classOf(source.codePointAt(end) ?? 0) & trailingCharacter) !== 0 ? end - 1 : end;
}

function clusterEnd(source: string, start: number): number {
  let end = afterBase(source, start);
  while (end < source.length) {
    const next = source.codePointAt(end) ?? 0;
    if ((classOf(next) & trailingCharacter) === 0) break;
    end += next > 0xffff ? 2 : 1;
  }
  return end;
}

const leadJamo = /[\u1100-\u1112\u3131-\u314E\u3260-\u326D\uFFA1-\uFFBE]/;
const vowelJamo = /[\u1161-\u1175\u314F-\u3163\uFFC2-\uFFDC]/;
const tailJamo = /[\u11A8-\u11C2\u3133\u3135\u3136\u313A-\u313F\uFFA3\uFFA5\uFFA6\uFFAA-\uFFAF]/;
const syllable = /[\uAC00-\uD7A3\u326E-\u327B]/;

function afterBase(source: string, start: number): number {
  const code = source.codePointAt(start) ?? 0;
  const end = start + (code > 0xffff ? 2 : 1);
  if (code < 0x1100 || code > 0xffff) return end;
  const first = source.charAt(start);
  if (syllable.test(first)) return tailJamo.test(source.charAt(end)) ? end + 1 : end;
  if (!leadJamo.test(first) || !vowelJamo.test(source.charAt(end))) return end;
  return tailJamo.test(source.charAt(end + 1)) ? end + 2 : end + 1;
}

const foldShortCluster = boundedMemo(8192, foldOneCluster);

function foldCluster(cluster: string): string {
  if (cluster.length <= longestMemoKey) return foldShortCluster(cluster);
  const last = cluster.charCodeAt(longestCluster - 1);
  const cutsPair = last >= 0xd800 && last <= 0xdbff;
  return foldOneCluster(cluster.slice(0, cutsPair ? longestCluster - 1 : longestCluster));
}

function foldOneCluster(cluster: string): string {
  const visible = cluster.replace(invisible, '');
  if (attachedSign.test(visible)) return visible.normalize('NFC');
  let folded = visible.normalize('NFKC').replace(optionalSign, '');
  if (hasAccentedScript.test(folded)) {
    folded = folded.normalize('NFD').replace(accentedLetter, (marks) => marks.replace(accent, ''));
  }
  return folded.toLowerCase().replace(alikeCharacter, (character) => alike[character] ?? character);
}

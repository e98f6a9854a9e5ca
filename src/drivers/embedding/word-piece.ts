/** BERT's uncased WordPiece: text to the numbers that the model was trained on. */
import { z } from 'zod';

export interface WordPiece {
  /** At most `most` numbers, the marks of beginning and end included. */
  encode(text: string, most: number): number[];
}

const fileShape = z.object({ model: z.object({ vocab: z.record(z.string(), z.int()) }) });

const LONGEST_WORD = 100;
/** Words that keep coming are cut once; beyond so many the memory is begun anew. */
const MOST_KNOWN_WORDS = 20_000;

const marks = /\p{Mn}/gu;
const invisible = /[\0\ufffd]|[[\p{Cc}\p{Cf}]--[\t\n\r]]/gv;
/** A sign or an ideograph is a word of its own; everything else goes up to the next space. */
const words =
  /[\p{P}$+<=>^`|~]|[\u3400-\u9fff\uf900-\ufaff]|[^\s\p{P}$+<=>^`|~\u3400-\u9fff\uf900-\ufaff]+/gu;

export function createWordPiece(file: Buffer): WordPiece {
  const { vocab } = fileShape.parse(JSON.parse(file.toString('utf8'))).model;
  const numbers = new Map(Object.entries(vocab));
  const special = (name: string): number => numbers.get(name) ?? 0;
  const [unknown, begin, end] = [special('[UNK]'), special('[CLS]'), special('[SEP]')];
  let known = new Map<string, readonly number[]>();

  const cut = (word: string): readonly number[] => {
    if (word.length > LONGEST_WORD) return [unknown];
    const pieces: number[] = [];
    for (let start = 0; start < word.length; ) {
      const [number, next] = longestPiece(numbers, word, start);
      if (number === undefined) return [unknown];
      pieces.push(number);
      start = next;
    }
    return pieces;
  };

  return {
    encode(text, most) {
      const found = [begin];
      for (const [word] of plain(text, most).matchAll(words)) {
        if (found.length >= most - 1) break;
        const pieces = known.get(word) ?? cut(word);
        if (known.size >= MOST_KNOWN_WORDS) known = new Map();
        known.set(word, pieces);
        found.push(...pieces);
      }
      return [...found.slice(0, most - 1), end];
    },
  };
}

function longestPiece(
  numbers: ReadonlyMap<string, number>,
  word: string,
  start: number,
): [number: number | undefined, end: number] {
  const prefix = start > 0 ? '##' : '';
  for (let end = word.length; end > start; end -= 1) {
    const number = numbers.get(prefix + word.slice(start, end));
    if (number !== undefined) return [number, end];
  }
  return [undefined, start];
}

/** A word of the vocabulary has at most 18 characters, so more than this can only be cut off anyway. */
const MOST_CHARACTERS_A_PIECE = LONGEST_WORD + 1;

function plain(text: string, most: number): string {
  return text
    .slice(0, most * MOST_CHARACTERS_A_PIECE)
    .normalize('NFD')
    .replace(marks, '')
    .toLowerCase()
    .replace(invisible, '');
}

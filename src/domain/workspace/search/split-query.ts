/**
 * Divides a query into words, phrases and filters by its quotes, minus signs and known keys, without looking
 * at what the words mean.
 */

import { readCondition } from './property-condition.ts';

export type FilterKey = 'tag' | 'untagged' | 'prop' | 'has' | 'lacks' | 'under' | 'origin' | 'lifecycle';

export type QueryItem =
  | { kind: 'word' | 'phrase'; text: string; excluded: boolean }
  | { kind: 'filter'; key: FilterKey; value: string };

const operator = /^(tag|prop|has|under|origin|lifecycle):/i;
/** Phones and word processors type these for a straight quote. */
const curlyQuote = /[“”„‟＂]/g;
const space = /\s/;

export function splitQuery(input: string): QueryItem[] {
  const text = input.replace(curlyQuote, '"');
  const items: QueryItem[] = [];
  let at = 0;
  while (at < text.length) {
    if (space.test(text.charAt(at))) {
      at += 1;
      continue;
    }
    const read = readItem(text, at);
    if (read === undefined) {
      // A quote that nobody closed: from here on there are only words.
      items.push(...wordsOf(text.slice(at)));
      break;
    }
    items.push(...read.items);
    at = read.end;
  }
  return items;
}

interface Read {
  items: QueryItem[];
  end: number;
}

function readItem(text: string, start: number): Read | undefined {
  // `--flag` is something people search for, not a double negation.
  const excluded = text[start] === '-' && text[start + 1] !== '-';
  const from = excluded ? start + 1 : start;
  if (text[from] === '"') {
    const close = text.indexOf('"', from + 1);
    if (close < 0) return undefined;
    const phrase = text.slice(from + 1, close).trim();
    return { items: phrase === '' ? [] : [{ kind: 'phrase', text: phrase, excluded }], end: close + 1 };
  }
  const key = operatorAt(text, from);
  const filter = excluded ? denied(key) : key;
  if (key !== undefined && filter !== undefined) {
    const value = readValue(text, from + key.length + 1);
    if (value === undefined) return undefined;
    if (isComplete(key, value.text)) {
      return {
        items: [{ kind: 'filter', key: filter, value: value.text }],
        end: value.end,
      };
    }
  }
  const end = wordEnd(text, from);
  return { items: end > from ? [{ kind: 'word', text: text.slice(from, end), excluded }] : [], end };
}

/** Only that a tag or a property is there can be denied. */
function denied(key: FilterKey | undefined): FilterKey | undefined {
  if (key === 'tag') return 'untagged';
  return key === 'has' ? 'lacks' : undefined;
}

function operatorAt(text: string, from: number): FilterKey | undefined {
  return operator.exec(text.slice(from, from + 16))?.[1]?.toLowerCase() as FilterKey | undefined;
}

/** A value ends at white space outside quotes; quotes may enclose all of it or a part (`prop:key="a b"`). */
function readValue(text: string, from: number): { text: string; end: number } | undefined {
  let value = '';
  let at = from;
  while (at < text.length && !space.test(text.charAt(at))) {
    if (text[at] === '"') {
      const close = text.indexOf('"', at + 1);
      if (close < 0) return undefined;
      value += text.slice(at + 1, close);
      at = close + 1;
    } else {
      value += text.charAt(at);
      at += 1;
    }
  }
  return { text: value.trim(), end: at };
}

function isComplete(key: FilterKey, value: string): boolean {
  if (key === 'prop') return readCondition(value) !== undefined;
  return value !== '' && value !== '#';
}

function wordEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && !space.test(text.charAt(end))) end += 1;
  return end;
}

function wordsOf(text: string): QueryItem[] {
  return text
    .split(/[\s"]+/)
    .filter((word) => word !== '')
    .map((word) => ({ kind: 'word', text: word, excluded: false }));
}

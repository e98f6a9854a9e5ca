/** Titles, slugs and the folded keys by which names are compared. The user's own text is never rewritten. */
import { SluiceError } from '../../kernel/errors.ts';
import { isUuid } from '../../kernel/ids.ts';
import { MAX_TITLE_LENGTH } from './page.ts';

/** Bytes of UTF-8 a slug may have, so that it can be a file name anywhere. */
const MAX_SLUG_BYTES = 180;

/** Names Windows keeps for itself, with any extension as well. */
const RESERVED = /^(con|prn|aux|nul|(?:com|lpt)[\d¹²³])(?=\.|$)/u;

/** Compares names: compatibility forms, case and white space do not count. */
export function nameKey(name: string): string {
  return foldCase(name.normalize('NFKC')).replace(/\s+/gu, ' ').trim();
}

/** By way of upper case, so that ß, ﬁ and final sigma meet their other forms, and ẞ by way of ß. */
const foldCase = (text: string): string => text.toLowerCase().toUpperCase().toLowerCase().normalize('NFC');

/** A name for addresses: letters and digits of any script, words joined by hyphens. */
export const slugOf = (title: string): string => slugFrom(title) || 'page';

/** What a title gives for a slug; empty when nothing of it can be in one. */
export function slugFrom(title: string): string {
  const words = title
    .normalize('NFC')
    .toLowerCase()
    .normalize('NFC')
    .replace(/[#^[\]|:\\/*?"<>%\p{Cc}\p{Cf}]/gu, ' ')
    .replace(/[\s\-_]+/gu, '-')
    .replace(/^[-.]+|[-.]+$/gu, '');
  const slug = cutToBytes(words.replace(RESERVED, '$1-page'), MAX_SLUG_BYTES).replace(/[-.]+$/u, '');
  // What looks like an id means the page that has it, so nothing else may be called that.
  return isUuid(nameKey(slug)) ? `page-${slug}` : slug;
}

/** The slug itself, or with the first number, from the given one on, that is free among the given keys. */
export function freeSlug(slug: string, taken: ReadonlySet<string>, from = 2): string {
  if (!taken.has(nameKey(slug))) return slug;
  for (let n = from; ; n += 1) {
    const numbered = `${cutToBytes(slug, MAX_SLUG_BYTES - String(n).length - 1)}-${n}`;
    if (!taken.has(nameKey(numbered))) return numbered;
  }
}

/** Trimmed and on one line; refuses what no page can be called. */
export function checkTitle(title: string): string {
  const trimmed = title.trim();
  if (trimmed === '') throw new SluiceError('invalid_input', '"title" must not be empty', { field: 'title' });
  if (trimmed.length > MAX_TITLE_LENGTH) {
    const limit = `"title" must be at most ${MAX_TITLE_LENGTH} characters long`;
    throw new SluiceError('invalid_input', limit, { field: 'title' });
  }
  if (/\p{Cc}|\u2028|\u2029/u.test(trimmed)) {
    throw new SluiceError('invalid_input', '"title" must not hold control characters or line breaks', {
      field: 'title',
    });
  }
  return trimmed;
}

function cutToBytes(text: string, limit: number): string {
  if (Buffer.byteLength(text) <= limit) return text;
  let [cut, bytes] = ['', 0];
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > limit) break;
    cut += character;
  }
  return cut;
}

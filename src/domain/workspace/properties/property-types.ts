/** What a property is: told from its value, so that Markdown alone says it. */
import { invalidInput } from '../../../kernel/errors.ts';
import type { PropertyValue } from '../page.ts';

export const PROPERTY_TYPES = ['text', 'number', 'boolean', 'date', 'datetime', 'list', 'link'] as const;
export type PropertyType = (typeof PROPERTY_TYPES)[number];

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATETIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?$/;
const LINK = /^!?\[\[[^\n\r]+\]\]$/;

/** The most that a page's text is read back with. */
const MAX_TEXT = 1_000;
const MAX_ITEMS = 200;

/** Null has none. */
export function propertyType(value: PropertyValue): PropertyType | null {
  if (value === null) return null;
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'boolean';
  const text = String(value);
  if (DATE.test(text) && isDay(text)) return 'date';
  if (DATETIME.test(text) && isDay(text.slice(0, 10)) && !Number.isNaN(Date.parse(text.replace(' ', 'T'))))
    return 'datetime';
  return LINK.test(text) ? 'link' : 'text';
}

/** 2026-02-30 is no day, although dates are read as if it were. */
const isDay = (text: string): boolean => {
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
};

/** Everything is a text to whoever says so; nothing else is what it does not look like. */
export function checkType(key: string, value: PropertyValue, wanted: PropertyType | undefined): void {
  const field = `properties.${key}`;
  for (const one of [value].flat()) {
    if (typeof one === 'string' && (one.length > MAX_TEXT || !one.isWellFormed()))
      throw invalidInput(field, `must be well-formed and at most ${MAX_TEXT} characters long`);
  }
  if (Array.isArray(value) && value.length > MAX_ITEMS)
    throw invalidInput(field, `must be at most ${MAX_ITEMS} items long`);
  if (wanted === undefined || value === null) return;
  const is = propertyType(value);
  if (is === wanted || (wanted === 'text' && typeof value === 'string')) return;
  throw invalidInput(field, `must be a ${wanted}, not a ${is}`);
}

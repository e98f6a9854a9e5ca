/**
 * Changes single values of a page's frontmatter and nothing else: every other key, comment and line stays byte for
 * byte. What cannot be changed so is refused.
 */
import { isDeepStrictEqual } from 'node:util';
import { isSeq, stringify } from 'yaml';
import type { PropertyValue } from '../page.ts';
import { type Frontmatter, readFrontmatter, unreadable, type YamlEntry } from './frontmatter-yaml.ts';

/** The text with the key set to the value; null is written as no value. */
export function setProperty(text: string, key: string, value: PropertyValue): string {
  const front = readFrontmatter(text);
  const entry = front?.entries.findLast((one) => one.key === key);
  const changed = entry && front ? replaceValue(text, front, entry, value) : addLine(text, front, key, value);
  return checked(front, changed, key, value);
}

/** The text without the key; frontmatter that holds nothing any more goes with it. */
export function removeProperty(text: string, key: string): string {
  const front = readFrontmatter(text);
  const entry = front?.entries.findLast((one) => one.key === key);
  if (!front || !entry) return text;
  const start = text.lastIndexOf('\n', entry.keyStart - 1) + 1;
  const end = lineEnd(text, entry.valueEnd, front.bodyEnd);
  const rest = text.slice(front.bodyStart, start) + text.slice(end, front.bodyEnd);
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const changed = rest.trim() === '' ? mark + text.slice(front.end) : text.slice(0, start) + text.slice(end);
  const again = changed.length < text.length && front.entries.filter((one) => one.key === key).length > 1;
  return again ? removeProperty(changed, key) : checked(front, changed, key, undefined);
}

function replaceValue(text: string, front: Frontmatter, entry: YamlEntry, value: PropertyValue): string {
  const between = text.slice(entry.afterColon, entry.valueStart);
  const comment = /[ \t]+#[^\n\r]*/.exec(between)?.[0] ?? '';
  const old = entry.pair.value;
  const isBlock = isSeq(old) && !old.flow;
  const isList = Array.isArray(value) && value.length > 0 && !(isSeq(old) && old.flow);
  const written = isList
    ? comment + blockList(value, front.newline, indentOf(between, isBlock))
    : inline(value) + comment;
  return text.slice(0, entry.afterColon) + written + text.slice(entry.valueEnd);
}

function addLine(text: string, front: Frontmatter | undefined, key: string, value: PropertyValue): string {
  const newline = front?.newline ?? (text.includes('\r\n') ? '\r\n' : '\n');
  const isList = Array.isArray(value) && value.length > 0;
  const line = `${scalar(key)}:${isList ? blockList(value, newline, '  ') : inline(value)}${newline}`;
  if (front) return text.slice(0, front.bodyEnd) + line + text.slice(front.bodyEnd);
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  return `${mark}---${newline}${line}---${newline}${text.slice(mark.length)}`;
}

const inline = (value: PropertyValue): string => {
  if (value === null) return '';
  return ` ${Array.isArray(value) ? `[${value.map(flowScalar).join(', ')}]` : scalar(value as string)}`;
};

const blockList = (values: readonly unknown[], newline: string, indent: string): string =>
  values.map((value) => `${newline}${indent}- ${scalar(value as string)}`).join('');

/** As deep as the list already stands. */
const indentOf = (between: string, isBlock: boolean): string =>
  isBlock ? (/[\n\r]([ ]*)$/.exec(between)?.[1] ?? '  ') : '  ';

/** On one line, and read back as the same value. */
export function scalar(value: string | number | boolean): string {
  const written = stringify(value, { lineWidth: 0 }).replace(/\n$/, '');
  return /[\n\r]/.test(written) ? JSON.stringify(value) : written;
}

/** In brackets, commas and brackets are marks of their own. */
export const flowScalar = (value: unknown): string =>
  typeof value === 'string' && /[,[\]{}]/.test(value) ? JSON.stringify(value) : scalar(value as string);

const lineEnd = (text: string, from: number, limit: number): number => {
  const at = /\r\n|\n|\r/.exec(text.slice(from, limit));
  return at ? from + at.index + at[0].length : limit;
};

/** The key must be what it was made, and every other one what it was. */
export function checked(before: Frontmatter | undefined, text: string, key: string, wanted: unknown): string {
  const after = readFrontmatter(text)?.values ?? {};
  const expected: Record<string, unknown> = { ...before?.values };
  if (wanted === undefined) delete expected[key];
  else expected[key] = wanted;
  if (isDeepStrictEqual({ ...after }, expected)) return text;
  throw unreadable(`does not allow "${key}" to be changed by itself`);
}

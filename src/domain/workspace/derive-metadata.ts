/** What a page's own text says about it: tags, aliases and properties from frontmatter and inline tags. */
import { parseDocument } from 'yaml';
import type { BlockScan } from './markdown/block-scan.ts';
import type { Dialect } from './markdown/dialect.ts';
import { findTags } from './markdown/find-tags.ts';
import { frontmatterEnd } from './markdown/frontmatter.ts';
import { scanBlocks } from './markdown/scan-blocks.ts';
import { nameKey } from './names.ts';
import type { PropertyValue } from './page.ts';
import { isTag } from './page-rules.ts';
import { MAX_FRONTMATTER } from './properties/frontmatter-yaml.ts';

export interface DerivedMetadata {
  readonly tags: readonly string[];
  readonly aliases: readonly string[];
  readonly properties: Readonly<Record<string, PropertyValue>>;
  /** Why the frontmatter says nothing although there is some. */
  readonly problem?: string;
}

const MAX_VALUES = 200;
const MAX_TEXT = 1_000;
const MAX_KEY_BYTES = 1_000;

export function deriveMetadata(
  text: string,
  dialect: Dialect = 'obsidian',
  scan: BlockScan = scanBlocks(text),
): DerivedMetadata {
  const inline = findTags(text, scan).map(({ tag }) => tag);
  const end = frontmatterEnd(text);
  const read = end === 0 ? { values: {} } : readYaml(text.slice(0, end));
  const values = 'problem' in read ? {} : read.values;
  const lines = dialect === 'logseq' ? propertyLines(text.slice(end)) : {};
  const { tags, tag, aliases, alias, ...rest } = { ...values, ...lines };
  return {
    tags: named([...textsOf(tags ?? tag).map((name) => name.replace(/^#/, '')), ...inline].filter(isTag)),
    aliases: named([...textsOf(aliases ?? alias), ...textsOf(lines.title)]),
    properties: propertiesOf(rest),
    ...('problem' in read && { problem: read.problem }),
  };
}

/** Logseq writes `name:: value` on the first lines of a page, lists with commas and often in brackets. */
function propertyLines(text: string): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/, MAX_VALUES)) {
    const [, name, value] = /^(?:- )?\s*([\p{L}\p{N}_./-]{1,100})::(?:\s+(.*))?$/u.exec(line) ?? [];
    if (name === undefined) break;
    values[name.toLowerCase()] = (value ?? '').trim().replace(/#?\[\[(.*?)\]\]/g, '$1');
  }
  return values;
}

type Yaml = { readonly values: Readonly<Record<string, unknown>> } | { readonly problem: string };

function readYaml(fenced: string): Yaml {
  if (fenced.length > MAX_FRONTMATTER)
    return { problem: `the frontmatter is longer than ${MAX_FRONTMATTER} characters` };
  const body = fenced
    .replace(/^\uFEFF?---[^\n\r]*(?:\r\n|\n|\r)/, '')
    .replace(/(?:\r\n|\n|\r)?---[ \t]*\s*$/, '');
  const document = parseDocument(body, { strict: false, uniqueKeys: false, logLevel: 'silent' });
  const [error] = document.errors;
  if (error) return { problem: `the frontmatter is not YAML (${error.code})` };
  const value = toPlain(document);
  if (value === null) return { values: {} };
  if (typeof value !== 'object' || Array.isArray(value))
    return { problem: 'the frontmatter is not a list of names and values' };
  return { values: value as Record<string, unknown> };
}

/** Aliases that multiply are refused by the parser; that is a problem of the page, not of ours. */
function toPlain(document: ReturnType<typeof parseDocument>): unknown {
  try {
    return document.toJS({ maxAliasCount: 20 });
  } catch (error) {
    if (error instanceof ReferenceError) return 'too many aliases';
    throw error;
  }
}

/** A list, or one text with commas. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string')
    return value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  if (typeof value === 'number') return [String(value)];
  if (!Array.isArray(value)) return [];
  return value
    .filter((item) => typeof item === 'string' || typeof item === 'number')
    .map((item) => String(item).trim())
    .filter((item) => item !== '')
    .slice(0, MAX_VALUES);
}

/** Plain values and lists of them; anything nested is kept as its JSON text. */
function propertiesOf(values: Readonly<Record<string, unknown>>): Record<string, PropertyValue> {
  const entries = Object.entries(values)
    .filter(([key]) => key !== '__proto__' && key.length <= 100 && isKeepable(key))
    .slice(0, MAX_VALUES)
    .map(([key, value]) => [key, propertyOf(value)] as const);
  return Object.fromEntries(entries);
}

function propertyOf(value: unknown): PropertyValue {
  if (Array.isArray(value)) return value.slice(0, MAX_VALUES).map((item) => plainOf(item) ?? '');
  return plainOf(value);
}

function plainOf(value: unknown): string | number | boolean | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.replaceAll('\0', '').toWellFormed().slice(0, MAX_TEXT);
}

/** Each once, whatever its case, and none that no index could hold. */
function named(names: readonly string[]): readonly string[] {
  const byKey = new Map<string, string>();
  for (const name of names) {
    const key = nameKey(name);
    if (key === '' || byKey.has(key) || !isKeepable(name) || Buffer.byteLength(key) > MAX_KEY_BYTES) continue;
    byKey.set(key, name);
    if (byKey.size >= MAX_VALUES) break;
  }
  return [...byKey.values()];
}

const isKeepable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** The frontmatter of a page as YAML with places: where each key and value stands in the text. */
import { isMap, isScalar, type Pair, parseDocument, type YAMLMap } from 'yaml';
import { SluiceError } from '../../../kernel/errors.ts';
import { frontmatterEnd } from '../markdown/frontmatter.ts';

/** Larger frontmatter is not read: YAML is slow, and nobody writes that much by hand. */
export const MAX_FRONTMATTER = 64 * 1024;

export interface YamlEntry {
  readonly key: string;
  readonly pair: Pair;
  /** In the text: where the key begins, what follows its colon, where the value ends without line breaks. */
  readonly keyStart: number;
  readonly afterColon: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

export interface Frontmatter {
  readonly newline: string;
  /** Of what stands between the fences. */
  readonly bodyStart: number;
  readonly bodyEnd: number;
  /** Behind the closing fence. */
  readonly end: number;
  readonly entries: readonly YamlEntry[];
  /** As plain values. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** Undefined when the page has none. Refuses what is no YAML, or no list of names and values line by line. */
export function readFrontmatter(text: string): Frontmatter | undefined {
  const end = frontmatterEnd(text);
  if (end === 0) return undefined;
  if (end > MAX_FRONTMATTER) throw unreadable(`is longer than ${MAX_FRONTMATTER} characters`);
  const fenced = text.slice(0, end);
  const bodyStart = /^[^\n\r]*(?:\r\n|\n|\r)/.exec(fenced)?.[0].length ?? 0;
  const bodyEnd = Math.max(bodyStart, fenced.search(/---[ \t]*(?:\r\n|\n|\r)?$/));
  const body = text.slice(bodyStart, bodyEnd);
  const document = parseDocument(body, { strict: false, uniqueKeys: false, logLevel: 'silent' });
  if (document.errors[0]) throw unreadable(`is not YAML (${document.errors[0].code})`);
  const newline = /\r\n|\n|\r/.exec(fenced)?.[0] ?? '\n';
  const place = { newline, bodyStart, bodyEnd, end };
  if (document.contents === null) return { ...place, entries: [], values: {} };
  if (!isMap(document.contents) || document.contents.flow)
    throw unreadable('is not written as one name and value a line');
  const entries = entriesOf(document.contents, body, bodyStart);
  return { ...place, entries, values: toPlain(document) };
}

function entriesOf(map: YAMLMap, body: string, offset: number): readonly YamlEntry[] {
  return map.items.map((pair) => {
    const { key, value } = pair;
    const range = isScalar(key) ? key.range : undefined;
    if (!isScalar(key) || !range) throw unreadable('has a name that is no text');
    const colon = body.indexOf(':', range[1]) + 1;
    const at = (value as { range?: [number, number, number] | null } | null)?.range ?? [colon, colon, colon];
    let valueEnd = Math.max(at[1], colon);
    while (valueEnd > colon && '\r\n'.includes(body.charAt(valueEnd - 1))) valueEnd -= 1;
    return {
      key: String(key.value),
      pair,
      keyStart: range[0] + offset,
      afterColon: colon + offset,
      valueStart: Math.max(at[0], colon) + offset,
      valueEnd: valueEnd + offset,
    };
  });
}

function toPlain(document: ReturnType<typeof parseDocument>): Readonly<Record<string, unknown>> {
  try {
    return document.toJS({ maxAliasCount: 20 }) as Record<string, unknown>;
  } catch (error) {
    if (error instanceof ReferenceError) throw unreadable('has too many aliases');
    throw error;
  }
}

export const unreadable = (why: string): SluiceError =>
  new SluiceError('conflict', `The frontmatter of the page ${why}; change it with edit_page first`, {
    reason: 'frontmatter',
  });

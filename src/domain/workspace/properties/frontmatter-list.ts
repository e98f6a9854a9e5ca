/** Changes single items of a list in the frontmatter; the others, and their comments, stay as they are written. */
import { isScalar, isSeq, type Scalar } from 'yaml';
import { checked, flowScalar, scalar, setProperty } from './edit-frontmatter.ts';
import { readFrontmatter } from './frontmatter-yaml.ts';

/** For each item what it becomes: itself, another text, or nothing. */
export function mapItems(text: string, key: string, become: (item: string) => string | undefined): string {
  const front = readFrontmatter(text);
  const entry = front?.entries.findLast((one) => one.key === key);
  if (!front || !entry) return text;
  const old = itemsOf(front.values[key]);
  const wanted = dedupe(old.map(become));
  if (wanted.length === old.length && wanted.every((item, i) => item === old[i])) return text;
  const list = entry.pair.value;
  // Where the number of items stays, each is written over where it stands.
  if (isSeq(list) && wanted.length === old.length && list.items.every(isScalar)) {
    let changed = text;
    for (const [i, item] of [...list.items.entries()].toReversed()) {
      const range = (item as Scalar).range;
      if (!range || wanted[i] === old[i]) continue;
      const written = (list.flow ? flowScalar : scalar)(wanted[i] ?? '');
      changed =
        changed.slice(0, front.bodyStart + range[0]) + written + changed.slice(front.bodyStart + range[1]);
    }
    return checked(front, changed, key, wanted);
  }
  return setProperty(text, key, wanted);
}

/** At the end of the list, which is made where there is none. */
export function addItems(text: string, key: string, items: readonly string[]): string {
  const front = readFrontmatter(text);
  const entry = front?.entries.findLast((one) => one.key === key);
  const old = itemsOf(front?.values[key]);
  const wanted = [...old, ...items];
  const list = entry?.pair.value;
  const last = isSeq(list) && !list.flow ? list.items.at(-1) : undefined;
  const range = isScalar(last) ? last.range : undefined;
  if (!front || !entry || !range || !isSeq(list)) return setProperty(text, key, wanted);
  const from = front.bodyStart + range[1];
  const at = from + (/^[^\n\r]*/.exec(text.slice(from, front.bodyEnd))?.[0].length ?? 0);
  const dash = text.lastIndexOf('\n', entry.valueStart - 1) + 1;
  const indent = /^[ ]*/.exec(text.slice(dash))?.[0] ?? '';
  const lines = items.map((item) => `${front.newline}${indent}- ${scalar(item)}`).join('');
  return checked(front, text.slice(0, at) + lines + text.slice(at), key, wanted);
}

/** A list, or one text with commas, as it is read for tags. */
function itemsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.filter((item) => item !== null).map(String);
  if (typeof value === 'number') return [String(value)];
  if (typeof value !== 'string') return [];
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

const dedupe = (items: readonly (string | undefined)[]): readonly string[] => [
  ...new Map(items.filter((item) => item !== undefined).map((item) => [item, item])).values(),
];

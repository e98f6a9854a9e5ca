/** From the path of a file to a place in the tree, by the rules of its dialect. */
import { invalidInput } from '../../kernel/errors.ts';
import type { Dialect } from './markdown/dialect.ts';

/** In bytes, so that every store can index it. */
const MAX_PATH_BYTES = 2_000;

const NOTE = /\.(md|markdown)$/i;

export const isNotePath = (path: string): boolean => NOTE.test(path);

/** Relative, below its folder, and the same on every system. */
export function checkFilePath(path: string, field = 'path'): string {
  const parts = path.split('/');
  if (path === '' || Buffer.byteLength(path) > MAX_PATH_BYTES)
    throw invalidInput(field, `must be a path of 1 to ${MAX_PATH_BYTES} bytes`);
  if (parts.some((part) => part === '' || part === '.' || part === '..'))
    throw invalidInput(field, `must be a relative path without empty parts, "." and "..", not "${path}"`);
  if (path.includes('\0') || !path.isWellFormed())
    throw invalidInput(field, 'must be text without NUL characters or lone surrogates');
  return path;
}

/** A page on the way to a file's own: what it is called, and which note or folder it would come from. */
export interface FileNode {
  readonly title: string;
  readonly note: string;
  readonly folder: string;
}

/** From the topmost folder to the note itself, which comes last. */
export function nodesOf(path: string, dialect: Dialect): readonly FileNode[] {
  const folders = path.split('/');
  const name = (folders.pop() ?? '').replace(NOTE, '');
  const above = folders.map((title, i) => nodeAt(title, folders.slice(0, i + 1).join('/')));
  const base = folders.length === 0 ? '' : `${folders.join('/')}/`;
  const separator = separatorOf(dialect);
  const parts = separator === undefined ? [name] : name.split(separator);
  if (separator === undefined || parts.some((part) => part.trim() === ''))
    return [...above, nodeAt(name, base + name)];
  const below = parts.map((part, i) =>
    nodeAt(titleOf(part, dialect), base + parts.slice(0, i + 1).join(separator)),
  );
  return [...above, ...below];
}

/** What stands between the levels of a hierarchy inside a file name. */
export function separatorOf(dialect: Dialect | null | undefined): string | undefined {
  if (dialect === 'dendron') return '.';
  return dialect === 'logseq' ? '___' : undefined;
}

const nodeAt = (title: string, path: string): FileNode => ({
  title,
  note: `${path}.md`,
  folder: `${path}/`,
});

/** Logseq escapes what a file name cannot hold. */
function titleOf(part: string, dialect: Dialect): string {
  if (dialect !== 'logseq') return part;
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

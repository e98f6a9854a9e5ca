/** Writes where a page comes from into the frontmatter of its text, for those who read it elsewhere. */
import type { EntityVersion } from '../../../kernel/submission.ts';
import { BYTE_ORDER_MARK } from '../markdown/char-codes.ts';
import { frontmatterEnd } from '../markdown/frontmatter.ts';
import type { Page } from '../page.ts';

/** All keys begin so; those of an earlier export are replaced. */
const KEY = 'sluice_';
const OWN_LINES = new RegExp(`^${KEY}[a-z_]+:.*(?:\\r\\n|\\n|\\r)(?:  - .*(?:\\r\\n|\\n|\\r))*`, 'gm');

export function withProvenance(page: Page, sources: readonly EntityVersion[]): string {
  const { content: text } = page;
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = linesOf(page, sources).map((line) => line + newline);
  const end = frontmatterEnd(text);
  const mark = text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(0, 1) : '';
  if (end === 0) return `${mark}---${newline}${lines.join('')}---${newline}${text.slice(mark.length)}`;
  const closing = text.slice(0, end).trimEnd().length - '---'.length;
  const before = text.slice(0, closing).replace(OWN_LINES, '');
  return before + lines.join('') + text.slice(closing);
}

const linesOf = (page: Page, sources: readonly EntityVersion[]): readonly string[] => [
  line('page', page.id),
  line('version', page.version),
  line('origin', page.origin),
  line('lifecycle', page.lifecycle),
  line('created_by', page.createdBy),
  line('updated_by', page.updatedBy),
  ...(sources.length === 0 ? [] : [`${KEY}sources:`]),
  ...sources.map(({ id, version }) => `  - ${JSON.stringify(`${id}@${version}`)}`),
];

/** JSON strings are YAML strings, whatever is in them. */
const line = (key: string, value: string): string => `${KEY}${key}: ${JSON.stringify(value)}`;

/** One line that says what a proposal is about. */
import type { ProposedCall } from '../../../kernel/ports/review-desk.ts';
import type { ChangeSummary } from '../describe-change.ts';
import type { OtherChange } from '../ports/other-candidates.ts';
import { isBytes, shownArguments } from './shown-arguments.ts';

const MAX_VALUE = 60;

/** Said by the page, the base and the text already. */
const UNSAID = new Set(['page', 'content', 'base_version', 'derived_from', 'dry_run']);

/** `titles`: of the pages that arguments name by their ids. */
export function summarize(
  { title, arguments: given }: ProposedCall,
  page: string | undefined,
  change: ChangeSummary | undefined,
  titles: ReadonlyMap<string, string>,
): string {
  // What is renamed everywhere is said, not the first page it is in.
  if (given.page === undefined && typeof given.from === 'string' && typeof given.to === 'string')
    return `${title}: ${quoted(given.from)} → ${quoted(given.to)}`;
  const subject = page === undefined ? title : `${title}: "${page}"`;
  const facts = change
    ? [`+${change.lines_added} −${change.lines_removed} lines`]
    : Object.entries(shownArguments(given)).flatMap(([name, value]) =>
        UNSAID.has(name) ? [] : sayArgument(name, (typeof value === 'string' && titles.get(value)) || value),
      );
  return facts.length === 0 ? subject : `${subject} (${facts.join(', ')})`;
}

/** In words, because nobody knows ids; only of what everybody may know. */
export function summarizeOthers({ title }: ProposedCall, [first, ...rest]: readonly OtherChange[]): string {
  const more = rest.length === 0 ? '' : ` and ${rest.length} more`;
  if (!first?.open) return `${title}: ${rest.length + 1} of those that not everybody sees`;
  const { before, after } = first;
  const words = [before, before === after ? null : after].flatMap((text) =>
    text === null ? [] : [quoted(text)],
  );
  return `${title}: ${first.title}: ${words.join(' → ')}${more}`;
}

function quoted(text: string): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  return `"${line.length > MAX_VALUE ? `${line.slice(0, MAX_VALUE).toWellFormed()}…` : line}"`;
}

function sayArgument(name: string, value: unknown): string[] {
  if (value === undefined || value === false) return [];
  if (isBytes(value)) return [`${value.size} bytes`];
  const text = JSON.stringify(value).toWellFormed();
  return [`${name} ${text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE).toWellFormed()}…` : text}`];
}

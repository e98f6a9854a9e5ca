/** One line that says what a proposal is about. */
import type { ProposedCall } from '../../../kernel/ports/review-desk.ts';
import type { ChangeSummary } from '../describe-change.ts';

const MAX_VALUE = 60;

/** Said by the page, the base and the text already. */
const UNSAID = new Set(['page', 'content', 'base_version', 'derived_from', 'dry_run']);

export function summarize(
  { title, arguments: given }: ProposedCall,
  page: string | undefined,
  change: ChangeSummary | undefined,
): string {
  const subject = page === undefined ? title : `${title}: "${page}"`;
  const facts = change
    ? [`+${change.lines_added} −${change.lines_removed} lines`]
    : Object.entries(given).flatMap(([name, value]) => (UNSAID.has(name) ? [] : sayArgument(name, value)));
  return facts.length === 0 ? subject : `${subject} (${facts.join(', ')})`;
}

function sayArgument(name: string, value: unknown): string[] {
  if (value === undefined || value === false) return [];
  const text = JSON.stringify(value).toWellFormed();
  return [`${name} ${text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE).toWellFormed()}…` : text}`];
}

/** How many pages a yes would change. Counted for whoever looks: what is kept from somebody does not count. */
import type { Concern, ProposalEntry } from './proposal.ts';

export interface PageCounts {
  /** That the call is about. */
  readonly asked: number;
  /** That follow from it. */
  readonly followers: number;
  /** More follow than are counted. */
  readonly more: boolean;
}

export function countPages({ concerns }: ProposalEntry, kept: ReadonlySet<string> = new Set()): PageCounts {
  const shown = shownConcerns(concerns, kept);
  const followers = shown.filter(({ follows }) => follows).length;
  return { asked: shown.length - followers, followers, more: concerns[0]?.more ?? false };
}

export const shownConcerns = (concerns: readonly Concern[], kept: ReadonlySet<string>): readonly Concern[] =>
  concerns.filter(({ kind, id }) => kind === 'page' && !kept.has(id));

/** Not kept with the proposal, because not everybody may know of all of them. */
export function sayPages(summary: string, { asked, followers, more }: PageCounts): string {
  const pages = asked > 1 ? `, ${asked} pages` : '';
  if (followers === 0) return summary + pages;
  return `${summary}${pages}, links in ${followers}${more ? ' and more' : ''} ${followers === 1 ? 'page' : 'pages'}`;
}

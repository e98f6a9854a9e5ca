/** A proposal as the terminal shows it. */
import { factText, type ShownFact } from './fact-text.ts';
import { facts } from './output.ts';

export interface ShownProposal {
  readonly id: string;
  readonly op: string;
  readonly title: string | null;
  readonly path: string | null;
  readonly caller: string;
  readonly role: string;
  readonly origin: string;
  readonly run: string;
  readonly state: string;
  readonly trashed: boolean;
  readonly overlaps: boolean;
  readonly summary: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly decided_by: string | null;
  readonly note: string | null;
  readonly head_version: string | null;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly text?: {
    readonly diff: string;
    readonly moved_on: boolean;
    readonly overlaps: boolean;
    readonly landing_diff?: string;
    readonly content?: string;
    readonly conflicts: readonly Conflict[];
  };
  readonly pages: readonly ShownPage[];
  readonly facts: readonly ShownFact[];
  readonly more_follow: boolean;
  readonly memories?: readonly {
    readonly memory: string;
    readonly title: string;
    readonly before: string | null;
    readonly after: string | null;
    readonly changed_since: boolean;
  }[];
  readonly next_cursor?: string;
  readonly sources: readonly { readonly page: string; readonly changed_since: boolean }[];
}

interface ShownPage {
  readonly page: string;
  readonly title: string | null;
  readonly removed: boolean;
  readonly follows: boolean;
  readonly changed_since: boolean;
  readonly diff?: string;
}

export function proposalText(one: ShownProposal): string {
  const told = facts({
    proposal: one.id,
    what: one.summary,
    page: one.path ?? one.title,
    by: `${one.caller} (${one.role}, ${one.origin})`,
    run: one.run,
    since: one.created_at,
    state: one.decided_by === null ? stateWords(one) : `${one.state} by ${one.decided_by}`,
    ...(one.note !== null && { note: one.note }),
    ...(one.expires_at !== null && one.state === 'pending' && { expires: one.expires_at }),
    version: one.head_version,
    ...(one.sources.length > 0 && { sources: one.sources.map(sayPageSource) }),
    ...(one.text === undefined && { arguments: one.arguments }),
  });
  // The page that the text is of is said by it.
  const others = one.text === undefined ? one.pages : one.pages.slice(1);
  const named = new Map(one.pages.map((page) => [page.page, page.title ?? page.page]));
  const shown = others.length === 1 && others[0]?.diff === undefined && one.pages.length === 1 ? [] : others;
  return [
    told,
    ...(one.text === undefined ? [] : [sayText(one.text)]),
    ...(one.memories ?? []).map(sayMemory),
    ...one.facts.map((fact) => factText(fact, named.get(fact.page) ?? one.title ?? fact.page)),
    ...shown.filter((page) => saysMore(page, one.facts)).map(sayPage),
    ...(one.more_follow ? ['Links in more pages would be rewritten'] : []),
    ...(one.next_cursor === undefined ? [] : ['There is more than is shown here']),
  ].join('\n\n');
}

/** With what keeps it from landing as things are. */
export function stateWords({ state, trashed, overlaps }: ShownProposal): string {
  if (state !== 'pending') return state;
  if (trashed) return `${state}, page in the trash`;
  return overlaps ? `${state}, changed since` : state;
}

function sayMemory({
  title,
  before,
  after,
  changed_since,
}: NonNullable<ShownProposal['memories']>[number]): string {
  const words = [
    ...(before === null ? [] : [marked('-', before)]),
    ...(after === null ? [] : [marked('+', after)]),
  ];
  return [`=== ${title}${changed_since ? ' (changed since)' : ''}`, ...words].join('\n');
}

/** What is told of it already needs no line of its own. */
const saysMore = ({ page, diff, removed, follows, changed_since }: ShownPage, facts: readonly ShownFact[]) =>
  diff !== undefined || removed || follows || changed_since || !facts.some((fact) => fact.page === page);

function sayPage({ page, title, removed, follows, changed_since, diff }: ShownPage): string {
  const facts = [
    ...(removed ? ['would be removed'] : []),
    ...(follows ? ['its links would be rewritten'] : []),
    ...(changed_since ? ['changed since'] : []),
  ];
  const said = `=== ${title ?? page}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`;
  return diff === undefined ? said : `${said}\n${diff}`;
}

const sayPageSource = ({ page, changed_since }: ShownProposal['sources'][number]): string =>
  changed_since ? `${page} (changed since)` : page;

function sayText(text: NonNullable<ShownProposal['text']>): string {
  if (!text.moved_on) return text.diff;
  if (!text.overlaps)
    return `${text.diff}\n\nThe page has changed since; this is what would land now:\n\n${text.landing_diff ?? ''}`;
  return `${text.diff}\n\nThe page was changed in the same place; accept it with --file and a text of your own:\n\n${conflictText(text.conflicts)}`;
}

export interface Conflict {
  readonly head: string;
  readonly yours: string;
}

/** Both texts of each place: what is there, and what was proposed. */
export const conflictText = (conflicts: readonly Conflict[]): string =>
  conflicts
    .map(({ head, yours }) => `@@ both changed this @@\n${marked('-', head)}\n${marked('+', yours)}`)
    .join('\n');

const marked = (mark: string, text: string): string =>
  text
    .replace(/\n+$/, '')
    .split('\n')
    .map((line) => mark + line)
    .join('\n');

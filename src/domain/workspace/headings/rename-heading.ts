/** Renames a heading and every link to it, or past it, in the whole workspace, as one change. */
import type { PageId } from '../../../kernel/ids.ts';
import { type Landing, requireTicket, type WriteTicket } from '../../../kernel/ticket.ts';
import type { RelinkReport } from '../apply-relink.ts';
import type { SectionReference } from '../editing/edit.ts';
import { findHeading } from '../editing/find-heading.ts';
import { loadPage } from '../find-page.ts';
import { landRewrites, type RewrittenPage } from '../land-rewrites.ts';
import { landText } from '../land-text.ts';
import { findLinks } from '../markdown/find-links.ts';
import { outline } from '../markdown/outline.ts';
import type { WorkspaceMeans } from '../means.ts';
import type { Page } from '../page.ts';
import { checkContent, type Match, requireMatch, requireMayChange, workspaceOf } from '../page-rules.ts';
import type { NewEvent } from '../ports/event-log.ts';
import type { LinkEntry } from '../ports/link-store.ts';
import { recordChange } from '../record-change.ts';
import { spliceText } from '../rewrite-text.ts';
import { checkHeading, outlineAfter, titleSplice } from './heading-title.ts';
import { fragmentSplice, type HeadingChange, wishFor } from './relink-headings.ts';

export interface HeadingRename extends Match {
  readonly page: string;
  readonly section: SectionReference;
  readonly title: string;
  readonly dryRun: boolean;
}

export interface RenamedHeading extends RelinkReport {
  readonly page: Page;
  readonly from: string;
  readonly to: string;
  readonly changed: boolean;
  readonly change?: number;
}

const PAGES_AT_ONCE = 50;
const LINKS_AT_ONCE = 1_000;
const STUCK = 'a link fits several headings, or cannot be written so that it keeps its meaning';
const FENCE = 'a code fence is never closed, so nobody knows what is a link';

export async function renameHeading(
  use: WorkspaceMeans,
  ticket: WriteTicket,
  wish: HeadingRename,
): Promise<RenamedHeading> {
  const landing = requireTicket(ticket, 'page', 'land');
  const { tx, submission } = landing;
  const page = await loadPage(use, tx, workspaceOf(submission), wish.page);
  requireMayChange(submission, [page]);
  requireMatch(page, wish);
  const to = checkHeading(wish.title);
  const before = outline(page.content);
  const heading = findHeading(before, wish.section);
  const base = { page, from: heading.title, to };
  if (to === heading.title) return { ...base, changed: false, updatedPages: 0, updatedLinks: 0, skipped: [] };
  const index = before.indexOf(heading);
  const splice = titleSplice(page.content, heading, to);
  const after = outlineAfter(spliceText(page.content, [splice]), before, index, to);
  const change: HeadingChange = { before, after, index };
  const links = Map.groupBy(await linksInto(use, landing, page), (link) => link.source);
  const own = ownRewrite(page, ordinalsOf(links.get(page.id)), change);
  const splices = [...own.splices, splice].toSorted((a, b) => a.start - b.start);
  const text = checkContent(spliceText(page.content, splices));
  outlineAfter(text, before, index, to);
  const skipped = new Map(own.stuck ? [[page.id, STUCK]] : []);
  const events: NewEvent[] = [];
  let [updatedPages, updatedLinks] = [0, own.splices.length];
  for await (const rewritten of others(use, landing, page, links, change, skipped)) {
    updatedPages += rewritten.length;
    for (const one of rewritten) updatedLinks += one.splices.length;
    if (!wish.dryRun) events.push(...(await landRewrites(use, landing, page.workspace, rewritten)));
  }
  const report = {
    updatedPages,
    updatedLinks,
    skipped: [...skipped].map(([id, reason]) => ({ page: id, reason })),
  };
  if (wish.dryRun) return { ...base, ...report, changed: false };
  const details = { heading: { from: heading.title, to }, pages: updatedPages, links: updatedLinks };
  const number = await landOwn(use, landing, page, text, details, events);
  const renamed = await use.pages.find(tx, page.workspace, page.id);
  return { ...base, ...report, page: renamed ?? page, changed: true, change: number };
}

async function landOwn(
  use: WorkspaceMeans,
  landing: Landing,
  page: Page,
  text: string,
  details: Readonly<Record<string, unknown>>,
  events: readonly NewEvent[],
): Promise<number> {
  const afterVersion = await landText(use, landing, page, text);
  const own: NewEvent = {
    kind: 'content_changed',
    page: page.id,
    beforeVersion: page.version,
    afterVersion,
    details,
  };
  return recordChange(use, landing, page.workspace, [own, ...events]);
}

/** Links of the page into itself, by its name or without one. */
function ownRewrite(page: Page, named: ReadonlySet<number>, change: HeadingChange) {
  const { links } = findLinks(page.content, undefined, page.dialect);
  const nameless = links.flatMap((span, i) => (span.path === '' && !span.external ? i : []));
  return rewrite(page, named.union(new Set(nameless)), change);
}

const ordinalsOf = (links: readonly LinkEntry[] = []): ReadonlySet<number> =>
  new Set(links.map((link) => link.ordinal));

/** Other pages that link to the page, some at a time, each with its links written anew. */
async function* others(
  use: WorkspaceMeans,
  { tx, submission }: Landing,
  page: Page,
  bySource: ReadonlyMap<PageId, readonly LinkEntry[]>,
  change: HeadingChange,
  skipped: Map<PageId, string>,
): AsyncGenerator<readonly RewrittenPage[]> {
  const sources = [...bySource.keys()].filter((id) => id !== page.id);
  for (let i = 0; i < sources.length; i += PAGES_AT_ONCE) {
    const ready: RewrittenPage[] = [];
    for (const source of await use.pages.findAll(tx, page.workspace, sources.slice(i, i + PAGES_AT_ONCE))) {
      await tx.breathe();
      const done = rewrite(source, ordinalsOf(bySource.get(source.id)), change);
      if (done.problem !== undefined) skipped.set(source.id, done.problem);
      else if (done.stuck) skipped.set(source.id, STUCK);
      if (done.problem === undefined && done.splices.length > 0) ready.push({ page: source, ...done });
    }
    requireMayChange(
      submission,
      ready.map((one) => one.page),
      'consequence',
    );
    if (ready.length > 0) yield ready;
  }
}

async function linksInto(use: WorkspaceMeans, { tx }: Pick<Landing, 'tx'>, page: Page): Promise<LinkEntry[]> {
  const found: LinkEntry[] = [];
  for (let last: LinkEntry | undefined; ; ) {
    const some = await use.links.to(tx, page.id, LINKS_AT_ONCE, last);
    found.push(...some.filter((link) => link.fragment !== null));
    last = some.at(-1);
    if (some.length < LINKS_AT_ONCE) return found;
  }
}

/** The text of a page with the fragments of those links written anew; what they mean is otherwise as before. */
function rewrite(page: Page, ordinals: ReadonlySet<number>, change: HeadingChange) {
  const found = findLinks(page.content, undefined, page.dialect);
  const wishes = found.links.map((span, i) =>
    ordinals.has(i) && span.fragment !== undefined ? wishFor(span.fragment, change) : 'text',
  );
  const stuck = wishes.includes('stuck');
  const splices = found.links.flatMap((span, i) => {
    const wish = wishes[i];
    return typeof wish === 'object' ? fragmentSplice(span, page.content, wish.fragment) : [];
  });
  const text = spliceText(page.content, splices);
  const { links: spans } = findLinks(text, undefined, page.dialect);
  const problem = splices.length > 0 && found.unclosedFence ? FENCE : isBroken() ? STUCK : undefined;
  return { text, splices: problem === undefined ? splices : [], spans, stuck, problem };

  /** Every link must be there as before, but for what was meant to change. */
  function isBroken(): boolean {
    return spans.length !== found.links.length || spans.some((span, i) => span.path !== found.links[i]?.path);
  }
}

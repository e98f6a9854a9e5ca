/** Carries out a plan for links: notes what they mean now and rewrites those that must keep their meaning. */
import type { PageId, WorkspaceId } from '../../kernel/ids.ts';
import type { Landing } from '../../kernel/ticket.ts';
import { landText } from './land-text.ts';
import { writtenPath } from './link-text.ts';
import { findLinks } from './markdown/find-links.ts';
import type { WorkspaceMeans } from './means.ts';
import type { Page } from './page.ts';
import type { LinkRewrite, RelinkPlan } from './plan-relink.ts';
import type { NewEvent } from './ports/event-log.ts';
import type { TextSplice } from './ports/text-documents.ts';

export interface SkippedPage {
  readonly page: PageId;
  readonly reason: string;
}

export interface RelinkOutcome {
  readonly updatedPages: number;
  readonly updatedLinks: number;
  readonly skipped: readonly SkippedPage[];
  readonly events: readonly NewEvent[];
}

/** The names must already be changed in the store, because rewritten pages are indexed again. */
export async function applyRelink(
  use: WorkspaceMeans,
  landing: Landing,
  workspace: WorkspaceId,
  plan: RelinkPlan,
): Promise<RelinkOutcome> {
  const { tx } = landing;
  for (const { link, status, target } of plan.relinked) await use.links.resolve(tx, link, status, target);
  const skipped = stuckPages(plan);
  const events: NewEvent[] = [];
  let updatedLinks = 0;
  for (const [source, rewrites] of Map.groupBy(plan.rewrites, ({ link }) => link.source)) {
    const page = await use.pages.find(tx, workspace, source);
    if (!page) continue;
    const { splices, text, problem } = rewriteText(page, rewrites);
    if (problem !== undefined) skipped.push({ page: source, reason: problem });
    if (splices.length === 0) continue;
    const version = await landText(use, landing, page, text, splices);
    updatedLinks += splices.length;
    events.push({
      kind: 'links_rewritten',
      page: source,
      beforeVersion: page.version,
      afterVersion: version,
      details: { links: splices.length },
    });
  }
  return { updatedPages: events.length, updatedLinks, skipped, events };
}

/** What the plan would do, without doing it. */
export function foreseeRelink(plan: RelinkPlan): Omit<RelinkOutcome, 'events'> {
  const pages = new Set(plan.rewrites.map(({ link }) => link.source));
  return { updatedPages: pages.size, updatedLinks: plan.rewrites.length, skipped: stuckPages(plan) };
}

function stuckPages(plan: RelinkPlan): SkippedPage[] {
  const sources = new Set(plan.stuck.map((link) => link.source));
  return [...sources].map((page) => ({
    page,
    reason: 'a link cannot be written so that it keeps its meaning',
  }));
}

/** Splices are made from the text as it is; a span that does not hold what the index says is left alone. */
function rewriteText(
  page: Page,
  rewrites: readonly LinkRewrite[],
): { readonly splices: readonly TextSplice[]; readonly text: string; readonly problem?: string } {
  const found = findLinks(page.content, undefined, page.dialect);
  const spans = new Map(found.links.map((span) => [span.start, span]));
  const splices: TextSplice[] = [];
  for (const { link, path } of rewrites) {
    const span = spans.get(link.start);
    if (!span || span.path !== link.path || span.targetEnd !== link.targetEnd) continue;
    splices.push({
      start: span.targetStart,
      end: span.targetEnd,
      text: writtenPath(span, page.content, path),
    });
  }
  splices.sort((a, b) => a.start - b.start);
  const text = spliceText(page.content, splices);
  if (splices.length < rewrites.length)
    return { splices, text, problem: 'the link index does not match the text' };
  if (found.unclosedFence)
    return { splices, text, problem: 'a code fence is never closed; links after it were left alone' };
  return { splices, text };
}

function spliceText(text: string, splices: readonly TextSplice[]): string {
  let [result, at] = ['', 0];
  for (const splice of splices) {
    result += text.slice(at, splice.start) + splice.text;
    at = splice.end;
  }
  return result + text.slice(at);
}

/** Carries out a plan for links: notes what they mean now and rewrites those that must keep their meaning. */
import type { PageId, WorkspaceId } from '../../kernel/ids.ts';
import type { Landing } from '../../kernel/ticket.ts';
import { landRewrites, type RewrittenPage } from './land-rewrites.ts';
import type { WorkspaceMeans } from './means.ts';
import { requireMayChange } from './page-rules.ts';
import type { LinkRewrite, RelinkPlan } from './plan-relink.ts';
import type { NewEvent } from './ports/event-log.ts';
import type { LinkEntry } from './ports/link-store.ts';
import { rewriteText } from './rewrite-text.ts';

export interface SkippedPage {
  readonly page: PageId;
  readonly reason: string;
}

export interface RelinkReport {
  readonly updatedPages: number;
  readonly updatedLinks: number;
  readonly skipped: readonly SkippedPage[];
}

export const NOTHING_RELINKED: RelinkReport = { updatedPages: 0, updatedLinks: 0, skipped: [] };

/** As many texts as are held at once. */
const PAGES_AT_ONCE = 50;

/** Pages must have their new names in the store by now; with `dryRun` nothing is written, and the report is the same. */
export async function applyRelink(
  use: WorkspaceMeans,
  landing: Landing,
  workspace: WorkspaceId,
  whole: RelinkPlan,
  dryRun = false,
): Promise<{ readonly report: RelinkReport; readonly events: readonly NewEvent[] }> {
  const plan = await asCallerMay(use, landing, workspace, whole);
  if (!dryRun) await use.links.resolve(landing.tx, plan.relinked);
  const skipped = new Map(plan.stuck.map((link) => [link.source, STUCK]));
  const shown = await shownSources(use, landing, workspace, plan);
  const events: NewEvent[] = [];
  let [updatedPages, updatedLinks] = [0, 0];
  const rewrites = Map.groupBy(plan.rewrites, ({ link }) => link.source);
  const sources = [...rewrites.keys()];
  for (let i = 0; i < sources.length; i += PAGES_AT_ONCE) {
    const some = sources.slice(i, i + PAGES_AT_ONCE);
    const { ready, refused } = await rewriteSome(use, landing, workspace, some, rewrites);
    for (const [page, reason] of refused) skipped.set(page, reason);
    const told = ready.filter(({ page }) => shown.has(page.id));
    requireMayChange(
      landing.submission,
      told.map(({ page }) => page),
      'consequence',
    );
    updatedPages += told.length;
    for (const { splices } of told) updatedLinks += splices.length;
    if (dryRun) continue;
    const left = [...refused.keys()].flatMap((page) => rewrites.get(page) ?? []);
    await use.links.resolve(
      landing.tx,
      left.map(({ link, otherwise }) => ({ link, ...otherwise })),
    );
    events.push(...(await landRewrites(use, landing, workspace, ready)));
  }
  const reasons = [...skipped]
    .filter(([page]) => shown.has(page))
    .map(([page, reason]) => ({ page, reason }));
  return { report: { updatedPages, updatedLinks, skipped: reasons }, events };
}

/**
 * A text that the caller sees would tell of a page that it does not see, if a link to that one changed its words with
 * what the caller does. Such a link keeps its words, and means what they then mean.
 */
async function asCallerMay(
  use: Pick<WorkspaceMeans, 'pages'>,
  { tx }: Landing,
  workspace: WorkspaceId,
  plan: RelinkPlan,
): Promise<RelinkPlan> {
  if (tx.unveiled === tx) return plan;
  const links = [...plan.rewrites.map(({ link }) => link), ...plan.stuck];
  const ids = new Set(links.flatMap(({ source, target }) => [source, target ?? source]));
  const seen = new Set((await use.pages.headers(tx, workspace, [...ids])).map((page) => page.id));
  const tells = ({ source, target }: LinkEntry): boolean =>
    seen.has(source) && target !== null && !seen.has(target);
  const [left, rewrites] = [true, false].map((is) => plan.rewrites.filter(({ link }) => tells(link) === is));
  return {
    relinked: [...plan.relinked, ...(left ?? []).map(({ link, otherwise }) => ({ link, ...otherwise }))],
    rewrites: rewrites ?? [],
    stuck: plan.stuck.filter((link) => !tells(link)),
    broken: plan.broken,
  };
}

/** The others are rewritten all the same, as the system's own doing, and nobody who cannot see them hears of it. */
async function shownSources(
  use: Pick<WorkspaceMeans, 'pages'>,
  { tx }: Landing,
  workspace: WorkspaceId,
  { rewrites, stuck }: RelinkPlan,
): Promise<ReadonlySet<PageId>> {
  const sources = new Set([...rewrites.map(({ link }) => link.source), ...stuck.map((link) => link.source)]);
  return new Set((await use.pages.headers(tx, workspace, [...sources])).map((page) => page.id));
}

const STUCK = 'a link cannot be written so that it keeps its meaning';

async function rewriteSome(
  use: WorkspaceMeans,
  { tx: { unveiled: tx } }: Landing,
  workspace: WorkspaceId,
  sources: readonly PageId[],
  rewrites: ReadonlyMap<PageId, readonly LinkRewrite[]>,
): Promise<{ readonly ready: RewrittenPage[]; readonly refused: Map<PageId, string> }> {
  const pages = new Map((await use.pages.findAll(tx, workspace, sources)).map((page) => [page.id, page]));
  const ready: RewrittenPage[] = [];
  const refused = new Map<PageId, string>();
  for (const source of sources) {
    await tx.breathe();
    const page = pages.get(source);
    if (!page) continue;
    const done = rewriteText(page, rewrites.get(source) ?? []);
    if ('problem' in done) refused.set(source, done.problem);
    else ready.push({ page, ...done });
  }
  return { ready, refused };
}

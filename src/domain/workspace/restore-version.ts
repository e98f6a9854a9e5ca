/** Makes a page say again what it said at an earlier version, as a change of its own. Whose each block was, it is again. */
import { invalidInput } from '../../kernel/errors.ts';
import { requireTicket, type WriteTicket } from '../../kernel/ticket.ts';
import { type ChangeSummary, describeChange } from './describe-change.ts';
import { loadPage } from './find-page.ts';
import { landText } from './land-text.ts';
import type { WorkspaceMeans } from './means.ts';
import type { Page } from './page.ts';
import { checkContent, requireMayChange, workspaceOf } from './page-rules.ts';
import { recordChange } from './record-change.ts';
import { reconcile, textOf } from './revise-page.ts';

export interface VersionWish {
  readonly page: string;
  readonly version: string;
  /** The version that the caller read; what others changed since is kept. */
  readonly baseVersion?: string | undefined;
  /** Refuses unless this is still the head. */
  readonly ifMatch?: string | undefined;
}

export interface RestoredVersion {
  readonly page: Page;
  readonly previousVersion: string;
  readonly changed: boolean;
  readonly change: ChangeSummary;
}

export async function restoreVersion(
  use: WorkspaceMeans,
  ticket: WriteTicket,
  { page: reference, version, ...seen }: VersionWish,
): Promise<RestoredVersion> {
  const landing = requireTicket(ticket, 'page', 'land');
  const { tx, submission } = landing;
  const workspace = workspaceOf(submission);
  const page = await loadPage(use, tx, workspace, reference);
  requireMayChange(submission, [page]);
  const wanted = await textOf(use, tx, page, version, 'version');
  if (seen.baseVersion === undefined && seen.ifMatch === undefined)
    throw invalidInput('if_match', 'or "base_version" must be given, the version that read_page answered');
  const text = checkContent(await reconcile(use, tx, page, wanted, seen));
  const change = describeChange(page.content, text);
  const previousVersion = page.version;
  if (text === page.content) return { page, previousVersion, changed: false, change };
  const then = await use.events.withVersion(tx, page.id, version);
  const landed = await landText(use, landing, page, text, { until: then?.at ?? submission.at });
  await recordChange(use, landing, workspace, [
    {
      kind: 'content_changed',
      page: page.id,
      beforeVersion: page.version,
      afterVersion: landed,
      details: { restored: version },
      sources: await use.events.sourcesOf(tx, page.id, then?.sequence),
    },
  ]);
  const restored = await use.pages.find(tx, workspace, page.id);
  return { page: restored ?? page, previousVersion, changed: true, change };
}

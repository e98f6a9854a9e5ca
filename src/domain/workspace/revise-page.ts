/** Changes a page's text, merging with what happened since the caller read it. Nothing is ever overwritten unseen. */
import { SluiceError } from '../../kernel/errors.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import { type Landing, requireTicket, type WriteTicket } from '../../kernel/ticket.ts';
import { type ChangeSummary, describeChange } from './describe-change.ts';
import { loadPage } from './find-page.ts';
import { landText } from './land-text.ts';
import type { WorkspaceMeans } from './means.ts';
import { mergeBlocks } from './merge-blocks.ts';
import type { Page } from './page.ts';
import { checkContent, requireMayChange, workspaceOf } from './page-rules.ts';
import { recordChange } from './record-change.ts';
import { requireSources } from './sources.ts';

export interface Revision {
  readonly page: string;
  readonly content: string;
  /** The version the caller read; its changes are merged into the head. */
  readonly baseVersion?: string | undefined;
  /** Refuses unless this is still the head. */
  readonly ifMatch?: string | undefined;
  /** More to say about it in the log. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

export interface Revised {
  readonly page: Page;
  readonly previousVersion: string;
  readonly changed: boolean;
  /** True when others' changes since the base were kept. */
  readonly merged: boolean;
  readonly change: ChangeSummary;
}

export async function revisePage(
  use: WorkspaceMeans,
  ticket: WriteTicket,
  revision: Revision,
): Promise<Revised> {
  const landing = requireTicket(ticket, 'page', 'land');
  const { tx, submission } = landing;
  const page = await loadPage(use, tx, workspaceOf(submission), revision.page);
  requireMayChange(submission, [page]);
  return landRevision(use, landing, page, revision);
}

/** For whoever has the page already and may change it. */
export async function landRevision(
  use: WorkspaceMeans,
  landing: Landing,
  page: Page,
  revision: Omit<Revision, 'page'>,
): Promise<Revised> {
  const { tx, submission } = landing;
  const { workspace } = page;
  await requireSources(use, landing, workspace);
  const wanted = checkContent(revision.content);
  const text = checkContent(await reconcile(use, tx, page, wanted, revision));
  const change = describeChange(page.content, text);
  const merged = text !== wanted;
  const previousVersion = page.version;
  if (text === page.content) return { page, previousVersion, changed: false, merged, change };
  const version = await landText(use, landing, page, text);
  await recordChange(use, landing, workspace, [
    {
      kind: 'content_changed',
      page: page.id,
      beforeVersion: page.version,
      afterVersion: version,
      details: { merged, ...revision.details },
      sources: submission.derivedFrom,
    },
  ]);
  const revised = await use.pages.find(tx, workspace, page.id);
  return { page: revised ?? page, previousVersion, changed: true, merged, change };
}

/** The text to become: the caller's, merged with the head where the head has moved on. */
export async function reconcile(
  use: WorkspaceMeans,
  scope: ReadScope,
  page: Page,
  wanted: string,
  { baseVersion, ifMatch }: Pick<Revision, 'baseVersion' | 'ifMatch'>,
): Promise<string> {
  if (ifMatch !== undefined && ifMatch !== page.version) {
    throw stale(page, wanted, `"${page.title}" has changed since version ${ifMatch}`);
  }
  const base = baseVersion ?? ifMatch;
  if (base === page.version || wanted === page.content) return wanted;
  if (base === undefined) {
    // Without a base nobody can tell what the caller saw, so only text that adds to the head can land.
    if (wanted.startsWith(page.content) || describeChange(page.content, wanted).lines_removed === 0)
      return wanted;
    throw stale(
      page,
      wanted,
      `"${page.title}" may say more than you have seen; to replace its text, give "base_version" from read_page`,
    );
  }
  const merge = mergeBlocks(await textOf(use, scope, page, base), page.content, wanted);
  if (merge.ok) return merge.text;
  throw new SluiceError('conflict', `"${page.title}" was changed in the same place since version ${base}`, {
    reason: 'overlap',
    version: page.version,
    conflicts: merge.conflicts.slice(0, 5),
  });
}

/** A text the page once had; a version of another page or of nothing is refused. */
export async function textOf(
  use: Pick<WorkspaceMeans, 'documents' | 'texts' | 'events'>,
  scope: ReadScope,
  page: Page,
  version: string,
  field = 'base_version',
): Promise<string> {
  if (version === page.version) return page.content;
  const known = await use.events.hasVersion(scope, page.id, version);
  const text = known ? use.texts.textAt(await use.documents.load(scope, page.id), version) : undefined;
  if (text !== undefined) return text;
  throw new SluiceError('not_found', `"${page.title}" never had the version "${version}"`, { field });
}

function stale(page: Page, wanted: string, message: string): SluiceError {
  return new SluiceError('conflict', message, {
    reason: 'stale',
    version: page.version,
    change: describeChange(page.content, wanted),
  });
}

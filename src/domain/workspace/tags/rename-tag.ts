/** Renames a tag, and those nested in it, wherever a page says it: one change over all pages, in their texts. */
import { SluiceError } from '../../../kernel/errors.ts';
import type { PageId } from '../../../kernel/ids.ts';
import { type Landing, requireTicket, type WriteTicket } from '../../../kernel/ticket.ts';
import type { RelinkReport, SkippedPage } from '../apply-relink.ts';
import { landText } from '../land-text.ts';
import { scanBlocks } from '../markdown/scan-blocks.ts';
import type { WorkspaceMeans } from '../means.ts';
import { nameKey } from '../names.ts';
import { MAX_CONTENT_BYTES, type Page } from '../page.ts';
import { checkTag, requireMayChange, workspaceOf } from '../page-rules.ts';
import type { NewEvent } from '../ports/event-log.ts';
import { NOTHING_BESIDE, textWithAll } from '../properties/land-metadata.ts';
import { recordChange } from '../record-change.ts';
import { mapTags } from './edit-tags.ts';
import { withoutHash } from './tag-page.ts';

export interface TagRename {
  readonly from: string;
  readonly to: string;
  readonly dryRun: boolean;
}

export interface RenamedTag extends Omit<RelinkReport, 'updatedLinks'> {
  readonly from: string;
  readonly to: string;
  readonly updatedPlaces: number;
  /** The number of the change in the workspace's log. */
  readonly change?: number;
}

const PAGES_AT_ONCE = 50;

export async function renameTag(
  use: WorkspaceMeans,
  ticket: WriteTicket,
  wish: TagRename,
): Promise<RenamedTag> {
  const landing = requireTicket(ticket, 'tag', 'land');
  const { tx, submission } = landing;
  const workspace = workspaceOf(submission);
  const from = checkTag('from', withoutHash(wish.from));
  const to = checkTag('to', withoutHash(wish.to));
  const ids = await use.tags.pagesWith(tx, workspace, nameKey(from));
  if (ids.length === 0)
    throw new SluiceError('not_found', `No page has the tag "${from}"`, { field: 'from' });
  const become = renaming(from, to);
  const skipped: SkippedPage[] = [];
  const events: NewEvent[] = [];
  let [updatedPages, updatedPlaces] = [0, 0];
  for (let i = 0; i < ids.length; i += PAGES_AT_ONCE) {
    const pages = await pagesIn(use, landing, ids.slice(i, i + PAGES_AT_ONCE));
    const rewritten = await rewrite(use, landing, pages, become, skipped);
    requireMayChange(
      submission,
      rewritten.map(({ page }) => page),
    );
    for (const { places, ...one } of rewritten) {
      updatedPages += 1;
      updatedPlaces += places;
      if (wish.dryRun) continue;
      await tx.breathe();
      events.push(await land(use, landing, one, { tag: { from, to } }));
    }
  }
  const change = events.length === 0 ? undefined : await recordChange(use, landing, workspace, events);
  return { from, to, updatedPages, updatedPlaces, skipped, ...(change !== undefined && { change }) };
}

/** What is nested in the tag keeps its own name below the new one. */
function renaming(from: string, to: string): (tag: string) => string {
  const key = nameKey(from);
  const depth = from.split('/').length;
  return (tag) => {
    const parts = tag.split('/');
    if (nameKey(parts.slice(0, depth).join('/')) !== key) return tag;
    return [to, ...parts.slice(depth)].join('/');
  };
}

const pagesIn = (use: WorkspaceMeans, { tx, submission }: Landing, ids: readonly PageId[]) =>
  use.pages.findAll(tx, workspaceOf(submission), ids);

interface Rewritten {
  readonly page: Page;
  readonly text: string;
  readonly wasBeside: boolean;
  readonly places: number;
}

async function rewrite(
  use: WorkspaceMeans,
  { tx }: Pick<Landing, 'tx'>,
  pages: readonly Page[],
  become: (tag: string) => string,
  skipped: SkippedPage[],
): Promise<readonly Rewritten[]> {
  const done: Rewritten[] = [];
  for (const page of pages) {
    await tx.breathe();
    const edited = scanBlocks(page.content).unclosedFence
      ? { problem: 'a code fence is never closed, so nobody knows what is a tag' }
      : await tryEdit(use, { tx }, page, become);
    if ('problem' in edited) skipped.push({ page: page.id, reason: edited.problem });
    else if (Buffer.byteLength(edited.text) > MAX_CONTENT_BYTES)
      skipped.push({ page: page.id, reason: 'the page would become too long' });
    else if (edited.places > 0) done.push({ page, ...edited });
  }
  return done;
}

async function tryEdit(
  use: WorkspaceMeans,
  { tx }: Pick<Landing, 'tx'>,
  page: Page,
  become: (tag: string) => string,
): Promise<Omit<Rewritten, 'page'> | { readonly problem: string }> {
  try {
    const { text, wasBeside } = await textWithAll(use, tx, page);
    const edited = mapTags(text, become, page.dialect);
    return 'problem' in edited ? edited : { ...edited, wasBeside };
  } catch (error) {
    if (error instanceof SluiceError && error.code === 'conflict') return { problem: error.message };
    throw error;
  }
}

async function land(
  use: WorkspaceMeans,
  landing: Landing,
  { page, text, wasBeside }: Omit<Rewritten, 'places'>,
  details: Readonly<Record<string, unknown>>,
): Promise<NewEvent> {
  if (wasBeside) await use.pages.update(landing.tx, page.id, NOTHING_BESIDE);
  const afterVersion = await landText(use, landing, page, text);
  return { kind: 'content_changed', page: page.id, beforeVersion: page.version, afterVersion, details };
}

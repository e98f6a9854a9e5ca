/** Makes a text a page's text: document, blocks, links and search index together, so that none can lag behind. */

import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import type { Landing } from '../../kernel/ticket.ts';
import { alignBlocks } from './block-index.ts';
import { indexLinks } from './index-links.ts';
import type { BlockScan } from './markdown/block-scan.ts';
import { outline } from './markdown/outline.ts';
import { scanBlocks } from './markdown/scan-blocks.ts';
import { splitBlocks } from './markdown/split-blocks.ts';
import type { WorkspaceMeans } from './means.ts';
import { countWords, type Page, type PageHeader } from './page.ts';
import { checkBlockCount } from './page-rules.ts';
import type { LinkEntry } from './ports/link-store.ts';
import type { ChangeNote, TextSplice } from './ports/text-documents.ts';
import { refreshMetadata } from './refresh-metadata.ts';
import { pageTokens } from './search/analyze.ts';

/** After this many updates a document is kept as one snapshot again. */
const COMPACT_AFTER = 64;

/** A new page's text; the page's row is inserted by the caller with the version this answers. */
export function firstText(use: Pick<WorkspaceMeans, 'texts' | 'ids'>, landing: Landing, text: string) {
  const { snapshot, version } = use.texts.create(text, noteOf(landing));
  const blocks = alignBlocks(text, [], use.ids);
  checkBlockCount(blocks.length);
  return { snapshot, version, blocks, words: countWords(text) };
}

/** Replaces the text, or splices it when the caller knows exactly what changes. Answers the new version. */
export async function landText(
  use: WorkspaceMeans,
  landing: Landing,
  page: Page,
  text: string,
  splices?: readonly TextSplice[],
): Promise<string> {
  const { tx, submission } = landing;
  const stored = await use.documents.load(tx, page.id);
  const note = noteOf(landing);
  const change = splices ? use.texts.splice(stored, splices, note) : use.texts.rewrite(stored, text, note);
  const blocks = alignBlocks(text, await use.documents.blocks(tx, page.id), use.ids, page.content);
  checkBlockCount(blocks.length);
  const updates = await use.documents.append(tx, page.id, change.update, blocks);
  if (updates >= COMPACT_AFTER) {
    const whole = { snapshot: stored.snapshot, updates: [...stored.updates, change.update] };
    await use.documents.compact(tx, page.id, use.texts.compact(whole));
  }
  await use.pages.update(tx, page.id, {
    content: text,
    version: change.version,
    words: countWords(text),
    updatedAt: submission.at,
    updatedBy: submission.caller.principal.name,
  });
  await indexText(use, landing, page, text);
  return change.version;
}

/** Metadata, links and search entries of a live page, from its text. */
export async function indexText(
  use: Pick<WorkspaceMeans, 'pages' | 'files' | 'links' | 'search'>,
  { tx }: Landing,
  page: PageHeader,
  text: string,
): Promise<void> {
  const scan = scanBlocks(text);
  await refreshMetadata(use, { tx }, page, text, scan);
  const found = await indexLinks(use, tx, page, text, scan);
  await use.links.replace(tx, page.workspace, page.id, await keepTrashed(use, tx, page, found));
  await indexWords(use, { tx }, page, text, scan);
}

/** A link that leads into the trash goes on doing so as long as its page is there and nothing else has the name. */
async function keepTrashed(
  use: Pick<WorkspaceMeans, 'pages' | 'links'>,
  scope: ReadScope,
  page: PageHeader,
  found: readonly LinkEntry[],
): Promise<readonly LinkEntry[]> {
  if (found.every((link) => link.status !== 'unresolved')) return found;
  // Also one that was resolved when its own page went to the trash, with the page it means.
  const before = (await use.links.of(scope, page.id)).filter((link) => link.target !== null);
  const targets = before.flatMap((link) => link.target ?? []);
  const headers = await use.pages.headers(scope, page.workspace, targets);
  const trashed = new Set(headers.filter((target) => target.trashBatch !== null).map((target) => target.id));
  const byPath = new Map(before.map((link) => [link.path, link.target]));
  return found.map((link) => {
    const target = link.status === 'unresolved' ? (byPath.get(link.path) ?? null) : null;
    return target !== null && trashed.has(target) ? { ...link, status: 'trashed', target } : link;
  });
}

export async function indexWords(
  use: Pick<WorkspaceMeans, 'search'>,
  { tx }: Pick<Landing, 'tx'>,
  page: Pick<PageHeader, 'id' | 'title'>,
  text: string,
  scan?: BlockScan,
): Promise<void> {
  const headings = outline(text, splitBlocks(text, scan)).map((heading) => heading.title);
  await use.search.put(tx, page.id, pageTokens({ title: page.title, headings, body: text }));
}

function noteOf({ submission }: Landing): ChangeNote {
  return { by: submission.caller.principal.id, call: submission.callId, at: submission.at };
}

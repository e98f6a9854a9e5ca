/** Makes a text a page's text: document, blocks, links and search index together, so that none can lag behind. */

import type { PageId } from '../../kernel/ids.ts';
import type { ReadScope, WriteTx } from '../../kernel/ports/unit-of-work.ts';
import type { Submission } from '../../kernel/submission.ts';
import type { Landing } from '../../kernel/ticket.ts';
import { alignBlocks } from './block-index.ts';
import { indexLinks } from './index-links.ts';
import type { BlockScan } from './markdown/block-scan.ts';
import { outline } from './markdown/outline.ts';
import { scanBlocks } from './markdown/scan-blocks.ts';
import { splitBlocks } from './markdown/split-blocks.ts';
import type { WorkspaceMeans } from './means.ts';
import { nameKey } from './names.ts';
import { countWords, type Page, type PageHeader } from './page.ts';
import { checkBlockCount } from './page-rules.ts';
import { bringerOf } from './permissions/may-write.ts';
import type { LinkEntry } from './ports/link-store.ts';
import type { ChangeNote, StoredDocument } from './ports/text-documents.ts';
import { landProvenance, type Restoring } from './provenance/land-provenance.ts';
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

/** Keeps a document with many updates as one snapshot again. */
export async function compactLong(
  use: Pick<WorkspaceMeans, 'documents' | 'texts'>,
  { tx }: Landing,
  page: PageId,
  updates: number,
  stored: StoredDocument,
  update: Uint8Array,
): Promise<void> {
  if (updates < COMPACT_AFTER) return;
  const whole = { snapshot: stored.snapshot, updates: [...stored.updates, update] };
  await use.documents.compact(tx, page, use.texts.compact(whole));
}

/** Replaces the text. Answers the new version. `restoring` = it is a text that the page had. */
export async function landText(
  use: WorkspaceMeans,
  landing: Landing,
  page: Page,
  text: string,
  restoring?: Restoring,
): Promise<string> {
  const { tx, submission } = landing;
  const stored = await use.documents.load(tx, page.id);
  const change = use.texts.rewrite(stored, text, noteOf(landing));
  const before = await use.documents.blocks(tx, page.id);
  const blocks = alignBlocks(text, before, use.ids, page.content);
  checkBlockCount(blocks.length);
  const counts = await use.documents.append(tx, [{ page: page.id, update: change.update, blocks }]);
  await compactLong(use, landing, page.id, counts.get(page.id) ?? 0, stored, change.update);
  const [was, is] = [
    { text: page.content, blocks: before },
    { text, blocks },
  ];
  await landProvenance(use, landing, page.id, was, is, restoring);
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
  { tx: seen, submission }: Landing,
  page: PageHeader,
  text: string,
): Promise<void> {
  const tx = seen.unveiled;
  const scan = scanBlocks(text);
  await refreshMetadata(use, { tx }, page, text, scan);
  const found = await indexLinks(use, tx, page, text, scan);
  await use.links.replace(tx, page.workspace, [page.id], await keepTrashed(use, tx, page, found));
  if (seen === tx) await adoptFiles(use, tx, found, submission);
  await indexWords(use, { tx }, page, text, scan);
}

/**
 * By who sees all: others could take away with it what they do not see. And only what the same caller brought: for
 * somebody else a file that is gone would tell of the page that shows it.
 */
export async function adoptFiles(
  use: Pick<WorkspaceMeans, 'files'>,
  tx: WriteTx,
  links: readonly LinkEntry[],
  submission: Submission,
): Promise<void> {
  const showing = new Set(links.filter(({ status }) => status === 'file').map(({ source }) => source));
  await use.files.adopt(tx, [...showing], bringerOf(submission));
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
  const trashed = new Map<PageId, ReadonlySet<string>>();
  for (const target of headers.filter(({ trashBatch }) => trashBatch !== null))
    trashed.set(
      target.id,
      new Set([target.title, target.slug, ...(await use.pages.aliases(scope, target.id))].map(nameKey)),
    );
  const byPath = new Map(before.map((link) => [link.path, link.target]));
  return found.map((link) => {
    const target = link.status === 'unresolved' ? (byPath.get(link.path) ?? null) : null;
    // Renamed while this page was in the trash itself, it would not be what comes back under the name.
    const answers = target !== null && trashed.get(target)?.has(link.targetKey);
    return answers ? { ...link, status: 'trashed', target } : link;
  });
}

export async function indexWords(
  use: Pick<WorkspaceMeans, 'search'>,
  { tx }: Pick<Landing, 'tx'>,
  page: Pick<PageHeader, 'id' | 'title'>,
  text: string,
  scan?: BlockScan,
): Promise<void> {
  await use.search.put(tx, page.id, wordsOf(page.title, text, scan));
}

export function wordsOf(title: string, text: string, scan?: BlockScan) {
  const headings = outline(text, splitBlocks(text, scan)).map((heading) => heading.title);
  return pageTokens({ title, headings, body: text });
}

export function noteOf({ submission }: Landing): ChangeNote {
  return { by: submission.caller.principal.id, call: submission.callId, at: submission.at };
}

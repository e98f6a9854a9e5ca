/** Puts many new pages into the store at once, with everything that is derived from their texts. */
import type { PageId, WorkspaceId } from '../../kernel/ids.ts';
import type { Landing } from '../../kernel/ticket.ts';
import type { DerivedMetadata } from './derive-metadata.ts';
import { keysOf, settleLinks, unresolvedLinks } from './index-links.ts';
import { adoptFiles, firstText, indexWords } from './land-text.ts';
import { scanBlocks } from './markdown/scan-blocks.ts';
import type { WorkspaceMeans } from './means.ts';
import { readNameView } from './name-view.ts';
import type { Ancestor, Page } from './page.ts';
import { planRelink } from './plan-relink.ts';
import type { NewEvent } from './ports/event-log.ts';
import type { PageFile } from './ports/file-store.ts';
import { putUpForReview } from './proposals/candidates.ts';
import { attributeNew } from './provenance/land-provenance.ts';
import { isEmpty } from './refresh-metadata.ts';

/** What only follows once the text has become a document is added here. */
export type TextlessPage = Omit<Page, 'version' | 'words'>;

export interface PageToInsert {
  readonly page: TextlessPage;
  readonly file: PageFile;
  /** Root first, itself last. */
  readonly way: readonly Ancestor[];
  /** What its text says about it. */
  readonly derived: DerivedMetadata;
}

/** Parents must come before their children. */
export async function insertPages(
  use: WorkspaceMeans,
  landing: Landing,
  given: readonly PageToInsert[],
): Promise<readonly NewEvent[]> {
  const [first] = given;
  if (!first) return [];
  const { workspace } = first.page;
  const read = given.map((one) => readText(use, landing, one));
  await relinkOthers(use, landing, workspace, read);
  for (const { page, file, snapshot, blocks, derived } of read) {
    await use.pages.insert(landing.tx, page);
    await use.files.bind(landing.tx, file);
    await use.documents.create(landing.tx, page.id, snapshot, blocks);
    if (!isEmpty(derived)) await use.pages.putDerived(landing.tx, page, derived, derived);
  }
  await attributeNew(
    use,
    landing,
    read.map(({ page, blocks }) => ({ page: page.id, blocks })),
  );
  await addLinks(use, landing, workspace, read);
  await putUpForReview(
    use,
    landing,
    read.map(({ page }) => page),
  );
  for (const { page, scan } of read) await indexWords(use, landing, page, page.content, scan);
  return read.map(({ page, file }) => ({
    kind: 'page_created',
    page: page.id,
    beforeVersion: null,
    afterVersion: page.version,
    details: { title: page.title, parent: page.parent, file: file.path },
    sources: landing.submission.derivedFrom,
  }));
}

type ReadPage = ReturnType<typeof readText>;

function readText(use: WorkspaceMeans, landing: Landing, given: PageToInsert) {
  const { content } = given.page;
  const { snapshot, blocks, version, words } = firstText(use, landing, content);
  const page: Page = { ...given.page, version, words };
  const scan = scanBlocks(content);
  return {
    ...given,
    page,
    file: { ...given.file, version },
    snapshot,
    blocks,
    scan,
    links: unresolvedLinks(page, content, scan),
  };
}

/** Links that were there before may mean the new pages. */
async function relinkOthers(
  use: WorkspaceMeans,
  { tx }: Landing,
  workspace: WorkspaceId,
  pages: readonly ReadPage[],
): Promise<void> {
  const placed = pages.map(({ page, way, derived }) => ({
    page: page.id,
    title: page.title,
    slug: page.slug,
    aliases: derived.aliases,
    way,
  }));
  const change = { removed: new Set<PageId>(), placed };
  const { relinked } = await planRelink(use, tx, { workspace, change, before: [] });
  await use.links.resolve(tx, relinked);
}

/** Once all of them are there, because they link to each other. */
async function addLinks(
  use: WorkspaceMeans,
  { tx: seen, submission }: Landing,
  workspace: WorkspaceId,
  pages: readonly ReadPage[],
): Promise<void> {
  const tx = seen.unveiled;
  const found = pages.flatMap(({ links }) => links);
  const sources = [...new Set(found.map((link) => link.source))];
  const view = await readNameView(use, tx, workspace, keysOf(found), sources);
  const links = settleLinks(found, view);
  await use.links.add(tx, workspace, links);
  if (seen === tx) await adoptFiles(use, tx, links, submission);
}

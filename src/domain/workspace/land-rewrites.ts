/** Makes rewritten texts the texts of their pages, many at a time. What links mean is carried over, not looked up. */
import type { WorkspaceId } from '../../kernel/ids.ts';
import type { Landing } from '../../kernel/ticket.ts';
import { alignBlocks, type BlockEntry } from './block-index.ts';
import { toEntry } from './index-links.ts';
import { compactLong, noteOf, wordsOf } from './land-text.ts';
import { scanBlocks } from './markdown/scan-blocks.ts';
import type { WorkspaceMeans } from './means.ts';
import { countWords, type Page } from './page.ts';
import { checkBlockCount } from './page-rules.ts';
import type { NewEvent } from './ports/event-log.ts';
import type { LinkEntry } from './ports/link-store.ts';
import { refreshMetadata } from './refresh-metadata.ts';
import type { RewrittenText } from './rewrite-text.ts';

export interface RewrittenPage extends RewrittenText {
  readonly page: Page;
}

/** Answers one event a page. */
export async function landRewrites(
  use: WorkspaceMeans,
  landing: Landing,
  workspace: WorkspaceId,
  rewritten: readonly RewrittenPage[],
): Promise<readonly NewEvent[]> {
  if (rewritten.length === 0) return [];
  const { submission } = landing;
  const tx = landing.tx.unveiled;
  const ids = rewritten.map(({ page }) => page.id);
  const documents = await use.documents.loadAll(tx, ids);
  const links = await use.links.ofAll(tx, ids);
  const landed = [];
  for (const { page, text, splices, spans } of rewritten) {
    await tx.breathe();
    const document = documents.get(page.id) ?? { stored: await use.documents.load(tx, page.id), blocks: [] };
    const { update, version } = use.texts.splice(document.stored, splices, noteOf(landing));
    const blocks = sameBlocks(alignBlocks(text, document.blocks, use.ids, page.content), document.blocks);
    checkBlockCount(blocks.length);
    const carried = carryOver(page, spans, links.get(page.id) ?? []);
    landed.push({ page, text, splices, update, version, blocks, carried, stored: document.stored });
  }
  const counts = await use.documents.append(
    tx,
    landed.map(({ page, update, blocks }) => ({ page: page.id, update, blocks })),
  );
  for (const { page, stored, update } of landed)
    await compactLong(use, landing, page.id, counts.get(page.id) ?? 0, stored, update);
  await use.pages.updateTexts(
    tx,
    landed.map(({ page, text, version }) => ({
      id: page.id,
      content: text,
      version,
      words: countWords(text),
    })),
    { updatedAt: submission.at, updatedBy: submission.caller.principal.name },
  );
  await tx.breathe();
  await use.links.replace(
    tx,
    workspace,
    ids,
    landed.flatMap(({ carried }) => carried),
  );
  await tx.breathe();
  await use.search.putAll(tx, new Map(landed.map(({ page, text }) => [page.id, wordsOf(page.title, text)])));
  await tx.breathe();
  for (const { page, text, spans } of rewritten) {
    // Properties and aliases may be made of links.
    if (spans.some((span) => span.in === 'frontmatter'))
      await refreshMetadata(use, landing, page, text, scanBlocks(text));
  }
  return landed.map(({ page, version, splices }) => ({
    kind: 'links_rewritten',
    page: page.id,
    beforeVersion: page.version,
    afterVersion: version,
    details: { links: splices.length },
  }));
}

/** A rewrite of links makes no blocks: each is the one that it was, and whose it was. */
const sameBlocks = (now: readonly BlockEntry[], before: readonly BlockEntry[]): readonly BlockEntry[] =>
  now.length === before.length ? now.map((block, i) => ({ ...block, id: before[i]?.id ?? block.id })) : now;

/** A rewrite keeps the number and order of links, and each means what it meant. */
function carryOver(
  { id }: Page,
  spans: RewrittenText['spans'],
  before: readonly LinkEntry[],
): readonly LinkEntry[] {
  return spans.map((span, ordinal) => {
    const entry = toEntry(id, ordinal, span);
    const { status, target } = before[ordinal] ?? entry;
    return { ...entry, status, target };
  });
}

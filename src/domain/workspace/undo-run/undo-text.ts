/** Takes one change of a text back by blocks: what others wrote since stays, and where that cannot be, so does the change. */
import type { PageId } from '../../../kernel/ids.ts';
import { alignBlocks } from '../block-index.ts';
import { describeChange } from '../describe-change.ts';
import { landText } from '../land-text.ts';
import { mergeBlocks } from '../merge-blocks.ts';
import type { Page } from '../page.ts';
import { checkContent, requireMayChange } from '../page-rules.ts';
import type { WorkspaceEvent } from '../ports/event-log.ts';
import { traceBlocks } from '../provenance/trace-blocks.ts';
import { recordChange } from '../record-change.ts';
import { textOf } from '../revise-page.ts';
import { kept, stepOf, type UndoStep } from './step.ts';
import { isOwnAttribution, type Undoing } from './undoing.ts';

export async function undoText(undoing: Undoing, event: WorkspaceEvent): Promise<UndoStep> {
  const { use, landing, workspace, root, own } = undoing;
  const { tx, submission } = landing;
  const page = await livePage(undoing, event);
  const text = checkContent(await formerText(undoing, page, event));
  if (text === page.content) return stepOf(event, page.title, 'nothing');
  requireMayChange(submission, [page]);
  const restoring = { until: event.at, except: event.call, undo: { root, run: own } };
  const version = await landText(use, landing, page, text, restoring);
  const sources = await use.events.sourcesOf(tx, page.id, event.sequence - 1);
  const versions = { beforeVersion: page.version, afterVersion: version };
  await recordChange(use, landing, workspace, [
    { kind: 'content_changed', page: page.id, ...versions, details: { takes_back: event.change }, sources },
  ]);
  const { lines_added: linesAdded, lines_removed: linesRemoved } = describeChange(page.content, text);
  return stepOf(event, page.title, 'undone', { linesAdded, linesRemoved });
}

export async function livePage({ use, landing, workspace }: Undoing, event: WorkspaceEvent): Promise<Page> {
  const page = await use.pages.find(landing.tx, workspace, event.page as PageId);
  if (!page) throw kept('the page is gone');
  if (page.trashBatch !== null) throw kept('the page is in the trash');
  return page;
}

/** The text without the change. */
async function formerText(undoing: Undoing, page: Page, event: WorkspaceEvent): Promise<string> {
  const { use, landing } = undoing;
  const before = await textOf(use, landing.tx, page, event.beforeVersion ?? '');
  if (page.version === event.afterVersion) return before;
  const after = await textOf(use, landing.tx, page, event.afterVersion ?? '');
  const merge = mergeBlocks(after, page.content, before);
  if (!merge.ok) throw kept('others changed the same place since');
  await refuseForeign(undoing, page, merge.text);
  return merge.text;
}

/** Words that others wrote again are theirs, even if they are the same. */
async function refuseForeign({ use, landing, ...undoing }: Undoing, page: Page, text: string): Promise<void> {
  const blocks = await use.documents.blocks(landing.tx, page.id);
  const now = { text, blocks: alignBlocks(text, blocks, use.ids, page.content) };
  const { gone } = traceBlocks({ text: page.content, blocks }, now);
  const authorships = await use.provenance.ofBlocks(
    landing.tx,
    gone.map(({ id }) => id),
  );
  const touches = gone.map(({ id }) => authorships.get(id)?.touchedBy ?? 0);
  const known = await use.provenance.attributions(landing.tx, [...new Set(touches)]);
  if (touches.every((number) => isOwnAttribution({ use, landing, ...undoing }, known.get(number)))) return;
  throw kept('others changed the same place since');
}

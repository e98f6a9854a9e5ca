/** Edits a page in places instead of replacing it: all edits or none, read against one version, merged into the head. */
import { invalidInput, SluiceError } from '../../../kernel/errors.ts';
import { requireTicket, type WriteTicket } from '../../../kernel/ticket.ts';
import { alignBlocks, type BlockEntry } from '../block-index.ts';
import { loadPage } from '../find-page.ts';
import type { WorkspaceMeans } from '../means.ts';
import type { Page } from '../page.ts';
import { checkContent, requireMayChange, workspaceOf } from '../page-rules.ts';
import { landRevision, type Revised, type Revision, textOf } from '../revise-page.ts';
import { assemble } from './assemble.ts';
import type { Edit } from './edit.ts';
import { planEdits } from './plan-edits.ts';
import { TextLayout } from './text-layout.ts';

export interface PageEdits extends Omit<Revision, 'content'> {
  readonly edits: readonly Edit[];
}

export async function editPage(use: WorkspaceMeans, ticket: WriteTicket, wish: PageEdits): Promise<Revised> {
  const landing = requireTicket(ticket, 'page', 'land');
  const { tx, submission } = landing;
  const page = await loadPage(use, tx, workspaceOf(submission), wish.page);
  requireMayChange(submission, [page]);
  const { baseVersion, ifMatch, edits } = wish;
  const base = baseVersion ?? ifMatch;
  if (base === undefined) refuseUnseen(page, edits);
  for (const [i, { text }] of edits.entries()) if (text !== undefined) checkContent(text, `edits.${i}.text`);
  const text = await textOf(use, tx, page, base ?? page.version);
  const now = await use.documents.blocks(tx, page.id);
  const entries = text === page.content ? now : alignBlocks(text, now, use.ids, page.content);
  const content = applyEdits(text, entries, edits);
  try {
    return await landRevision(use, landing, page, { content, baseVersion: base ?? page.version, ifMatch });
  } catch (error) {
    throw aboutEdits(error);
  }
}

/** The text as a whole is none of the caller's arguments. */
function aboutEdits(error: unknown): unknown {
  if (!(error instanceof SluiceError) || error.code !== 'invalid_input' || error.details.field !== 'content')
    return error;
  return invalidInput('edits', `make a page that ${error.message.replace('"content" ', '')}`);
}

/** Pure: a text with its block index, and the edits. */
export function applyEdits(text: string, entries: readonly BlockEntry[], edits: readonly Edit[]): string {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  return mark + assemble(planEdits(new TextLayout(text.slice(mark.length), entries), edits));
}

/** Without a base nobody can tell what the caller saw, so what goes must be quoted, or named by its digest. */
function refuseUnseen(page: Page, edits: readonly Edit[]): void {
  const unseen = edits.findIndex(
    ({ op, digest }) =>
      op === 'replace_section' || ((op === 'replace_block' || op === 'delete_block') && digest === undefined),
  );
  if (unseen < 0) return;
  const what = `"edits.${unseen}" takes away text of "${page.title}" that it does not quote; it needs "base_version" from read_page, or the block's digest`;
  throw new SluiceError('conflict', what, {
    reason: 'stale',
    field: `edits.${unseen}`,
    version: page.version,
  });
}

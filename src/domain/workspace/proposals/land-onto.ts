/** What a proposed change would make of a text, were it accepted now: the same that accepting does, without landing it. */
import { SluiceError } from '../../../kernel/errors.ts';
import type { ReadScope } from '../../../kernel/ports/unit-of-work.ts';
import { alignBlocks } from '../block-index.ts';
import type { Edit } from '../editing/edit.ts';
import { applyEdits } from '../editing/edit-page.ts';
import type { WorkspaceMeans } from '../means.ts';
import { type Merge, mergeBlocks, type Settle } from '../merge-blocks.ts';
import type { Page, PropertyValue } from '../page.ts';
import { withProperties } from '../properties/set-properties.ts';
import { textOf } from '../revise-page.ts';
import { TAG_CHANGES } from '../tags/tag-page.ts';
import type { Proposal } from './proposal.ts';

/** `text` is the page's, or that with other proposals in it. With `settle` there is no conflict that is left. */
export async function landOnto(
  use: WorkspaceMeans,
  scope: ReadScope,
  proposal: Proposal,
  page: Page,
  text: string,
  settle?: Settle,
): Promise<Merge> {
  if (proposal.arguments.base_version === undefined && Object.hasOwn(AGAIN, proposal.op)) {
    const done = await again(use, scope, proposal, page, text);
    if (done.ok || !settle) return done;
  }
  const version = proposal.concerns[0]?.version ?? page.version;
  return mergeBlocks(await textOf(use, scope, page, version), text, proposal.text ?? '', settle);
}

type Again = (
  use: WorkspaceMeans,
  scope: ReadScope,
  given: Given,
  page: Page,
  text: string,
) => Promise<string>;
type Given = Readonly<Record<string, unknown>>;

/** Tools that are kept without a base and do their work on the text as it then is. */
const AGAIN: Readonly<Record<string, Again>> = {
  async edit_page(use, scope, { edits }, page, text) {
    const now = await use.documents.blocks(scope, page.id);
    const entries = text === page.content ? now : alignBlocks(text, now, use.ids, page.content);
    return applyEdits(text, entries, edits as readonly Edit[]);
  },
  tag_page: async (_use, _scope, { tags }, page, text) =>
    TAG_CHANGES.tag_page(text, tags as string[], page.dialect),
  untag_page: async (_use, _scope, { tags }, page, text) =>
    TAG_CHANGES.untag_page(text, tags as string[], page.dialect),
  set_properties: async (_use, _scope, { properties }, _page, text) =>
    withProperties(text, Object.entries(properties as Readonly<Record<string, PropertyValue>>)),
};

/** A place that is not there any more is no place where both wrote something, but nothing lands either. */
async function again(
  use: WorkspaceMeans,
  scope: ReadScope,
  { op, arguments: given }: Proposal,
  page: Page,
  text: string,
): Promise<Merge> {
  if (given.if_match !== undefined && given.if_match !== page.version) return { ok: false, conflicts: [] };
  try {
    return { ok: true, text: (await AGAIN[op]?.(use, scope, given, page, text)) ?? text };
  } catch (error) {
    if (error instanceof SluiceError && error.code !== 'internal') return { ok: false, conflicts: [] };
    throw error;
  }
}

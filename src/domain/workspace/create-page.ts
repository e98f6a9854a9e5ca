/** Makes a new page. Whose it is and what it counts as come from the submission, never from arguments. */

import type { PageId } from '../../kernel/ids.ts';
import { requireTicket, type WriteTicket } from '../../kernel/ticket.ts';
import { applyRelink } from './apply-relink.ts';
import { loadPage } from './find-page.ts';
import { firstText, indexText } from './land-text.ts';
import type { WorkspaceMeans } from './means.ts';
import { checkTitle } from './names.ts';
import type { Page, PropertyValue } from './page.ts';
import { checkContent, checkProperties, checkTags, workspaceOf } from './page-rules.ts';
import { findParent, slugIn } from './permissions/drop-box.ts';
import { requireMayAdd } from './permissions/may-write.ts';
import { checkDepth, positionAmong, slugAmong, wayTo } from './place-page.ts';
import { planRelink } from './plan-relink.ts';
import { NOTHING_BESIDE, withMetadata } from './properties/land-metadata.ts';
import { putUpForReview } from './proposals/candidates.ts';
import { attributeNew } from './provenance/land-provenance.ts';
import { recordChange } from './record-change.ts';
import { requireSources } from './sources.ts';
import { textFromTemplate } from './template.ts';

export interface NewPage {
  readonly title: string;
  readonly content?: string | undefined;
  /** A page's id, path or slug; left out or null for the root. */
  readonly parent?: string | null | undefined;
  readonly icon?: string | undefined;
  readonly properties?: Readonly<Record<string, PropertyValue>> | undefined;
  readonly tags?: readonly string[] | undefined;
  /** A page with the property `template: true`, whose text the new one begins with. */
  readonly template?: string | undefined;
}

export async function createPage(use: WorkspaceMeans, ticket: WriteTicket, wanted: NewPage): Promise<Page> {
  const landing = requireTicket(ticket, 'page', 'land');
  const { tx, submission } = landing;
  const workspace = workspaceOf(submission);
  await requireSources(use, landing, workspace);
  const title = checkTitle(wanted.title);
  const parent = wanted.parent == null ? null : await findParent(use, landing, workspace, wanted.parent);
  const lifecycle = requireMayAdd(submission, parent);
  const way = await wayTo(use, tx.unveiled, parent?.id ?? null);
  checkDepth(way.length + 1);
  const template =
    wanted.template === undefined
      ? undefined
      : await loadPage(use, tx, workspace, wanted.template, 'template');
  const text = wanted.content ?? (template ? textFromTemplate(template, title, submission.at) : '');
  const metadata = {
    tags: checkTags(wanted.tags ?? []),
    properties: checkProperties(wanted.properties ?? {}),
  };
  const content = checkContent(withMetadata(checkContent(text), metadata));
  const { snapshot, version, blocks, words } = firstText(use, landing, content);
  const author = submission.caller.principal.name;
  const id = use.ids.next<PageId>();
  const page: Page = {
    id,
    workspace,
    parent: parent?.id ?? null,
    slug: await slugAmong(use, tx, workspace, parent?.id ?? null, slugIn(submission, parent, title, id)),
    title,
    icon: wanted.icon ?? null,
    position: await positionAmong(use, tx, workspace, parent?.id ?? null),
    ...NOTHING_BESIDE,
    origin: submission.origin,
    lifecycle,
    version,
    content,
    words,
    createdAt: submission.at,
    createdBy: author,
    updatedAt: submission.at,
    updatedBy: author,
    trashBatch: null,
  };
  const placed = { page: page.id, title, slug: page.slug, aliases: [], way: [...way, page] };
  const change = { removed: new Set<PageId>(), placed: [placed] };
  const plan = await planRelink(use, tx, { workspace, change, before: [] });
  await use.pages.insert(tx, page);
  await use.documents.create(tx, page.id, snapshot, blocks);
  await attributeNew(use, landing, [{ page: page.id, blocks }]);
  await applyRelink(use, landing, workspace, plan);
  await indexText(use, landing, page, content);
  await recordChange(use, landing, workspace, [
    {
      kind: 'page_created',
      page: page.id,
      beforeVersion: null,
      afterVersion: version,
      details: { title, parent: page.parent },
      sources: submission.derivedFrom,
    },
  ]);
  await putUpForReview(use, landing, [page]);
  return page;
}

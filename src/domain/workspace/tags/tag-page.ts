/** Tags a page, or takes tags away from it. */
import { SluiceError } from '../../../kernel/errors.ts';
import { requireTicket, type WriteTicket } from '../../../kernel/ticket.ts';
import { loadPage } from '../find-page.ts';
import type { WorkspaceMeans } from '../means.ts';
import { nameKey } from '../names.ts';
import { checkTags, type Match, requireMatch, requireMayChange, workspaceOf } from '../page-rules.ts';
import { landMetadata, withTags } from '../properties/land-metadata.ts';
import type { Revised } from '../revise-page.ts';
import { mapTags } from './edit-tags.ts';

export interface TagWish extends Match {
  readonly page: string;
  /** With or without `#`. */
  readonly tags: readonly string[];
}

export async function tagPage(use: WorkspaceMeans, ticket: WriteTicket, wish: TagWish): Promise<Revised> {
  return change(use, ticket, wish, 'tagged', withTags);
}

/** In prose the word stays and is no tag any more. */
export async function untagPage(use: WorkspaceMeans, ticket: WriteTicket, wish: TagWish): Promise<Revised> {
  return change(use, ticket, wish, 'untagged', withoutTags);
}

type Change = (text: string, tags: readonly string[], dialect: Parameters<typeof mapTags>[2]) => string;

const withoutTags: Change = (text, tags, dialect) => {
  const gone = new Set(tags.map(nameKey));
  const done = mapTags(text, (tag) => (gone.has(nameKey(tag)) ? undefined : tag), dialect);
  if ('problem' in done)
    throw new SluiceError('conflict', `Not untagged: ${done.problem}; use edit_page`, { field: 'tags' });
  return done.text;
};

/** What either does to a text. */
export const TAG_CHANGES: Readonly<Record<'tag_page' | 'untag_page', Change>> = {
  tag_page: (text, tags, dialect) => withTags(text, tagsOf(tags), dialect),
  untag_page: (text, tags, dialect) => withoutTags(text, tagsOf(tags), dialect),
};

async function change(
  use: WorkspaceMeans,
  ticket: WriteTicket,
  wish: TagWish,
  what: 'tagged' | 'untagged',
  edit: Change,
): Promise<Revised> {
  const landing = requireTicket(ticket, 'tag', 'land');
  const { tx, submission } = landing;
  const page = await loadPage(use, tx, workspaceOf(submission), wish.page);
  requireMayChange(submission, [page]);
  requireMatch(page, wish);
  const tags = tagsOf(wish.tags);
  return landMetadata(use, landing, page, {
    change: (text) => edit(text, tags, page.dialect),
    details: { [what]: tags },
  });
}

const tagsOf = (tags: readonly string[]): readonly string[] => checkTags(tags.map(withoutHash));

export const withoutHash = (tag: string): string => tag.trim().replace(/^#/, '');

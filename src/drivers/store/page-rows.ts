/** Between page rows and pages. */
import type { Dialect } from '../../domain/workspace/markdown/dialect.ts';
import { nameKey } from '../../domain/workspace/names.ts';
import type { Page, PageHeader } from '../../domain/workspace/page.ts';
import type { PagePatch } from '../../domain/workspace/ports/page-store.ts';
import { sha256Hex } from '../../kernel/canonical-json.ts';
import type { BatchId, PageId, WorkspaceId } from '../../kernel/ids.ts';
import type { Database } from './schema.ts';

/** Longer values are compared by their digest: indexes take only so much. */
const LONGEST_VALUE = 500;

/** A property's value as filters compare it: folded, and of bounded length. */
export function propertyKey(value: string): string {
  const key = nameKey(value);
  return key.length <= LONGEST_VALUE ? key : `sha256:${sha256Hex(key)}`;
}

export const HEADER_COLUMNS = [
  'page.id',
  'page.workspace_id',
  'page.parent_id',
  'page.slug',
  'page.title',
  'page.icon',
  'page.position',
  'page.properties',
  'page.tags',
  'page.origin',
  'page.lifecycle',
  'page.version',
  'page.words',
  'page.created_at',
  'page.created_by',
  'page.updated_at',
  'page.updated_by',
  'page.trash_batch',
  'page.dialect',
  'page.zone',
] as const;

type PageRow = Omit<Database['page'], 'number' | 'file_path' | 'file_digest' | 'file_version' | 'file_text'>;
export type HeaderRow = Omit<PageRow, 'slug_key' | 'title_key' | 'content'>;

export function toHeader(row: HeaderRow): PageHeader {
  return {
    id: row.id as PageId,
    workspace: row.workspace_id as WorkspaceId,
    parent: row.parent_id as PageId | null,
    slug: row.slug,
    title: row.title,
    icon: row.icon,
    position: row.position,
    properties: row.properties === '{}' ? {} : JSON.parse(row.properties),
    tags: row.tags === '[]' ? [] : JSON.parse(row.tags),
    origin: row.origin as PageHeader['origin'],
    lifecycle: row.lifecycle as PageHeader['lifecycle'],
    version: row.version,
    words: row.words,
    createdAt: row.created_at,
    createdBy: row.created_by,
    updatedAt: row.updated_at,
    updatedBy: row.updated_by,
    trashBatch: row.trash_batch as BatchId | null,
    ...(row.dialect !== null && { dialect: row.dialect as Dialect }),
    ...(row.zone !== null && { zone: row.zone }),
  };
}

export function fromPage(page: Page): Omit<PageRow, 'zone'> {
  return {
    id: page.id,
    workspace_id: page.workspace,
    parent_id: page.parent,
    slug: page.slug,
    slug_key: nameKey(page.slug),
    title: page.title,
    title_key: nameKey(page.title),
    icon: page.icon,
    position: page.position,
    properties: JSON.stringify(page.properties),
    tags: JSON.stringify(page.tags),
    origin: page.origin,
    lifecycle: page.lifecycle,
    version: page.version,
    content: page.content,
    words: page.words,
    created_at: page.createdAt,
    created_by: page.createdBy,
    updated_at: page.updatedAt,
    updated_by: page.updatedBy,
    trash_batch: page.trashBatch,
    dialect: page.dialect ?? null,
  };
}

export function fromPatch(patch: PagePatch): Partial<PageRow> {
  const row: Partial<PageRow> = {};
  if (patch.parent !== undefined) row.parent_id = patch.parent;
  if (patch.slug !== undefined) Object.assign(row, { slug: patch.slug, slug_key: nameKey(patch.slug) });
  if (patch.title !== undefined) Object.assign(row, { title: patch.title, title_key: nameKey(patch.title) });
  if (patch.icon !== undefined) row.icon = patch.icon;
  if (patch.position !== undefined) row.position = patch.position;
  if (patch.properties !== undefined) row.properties = JSON.stringify(patch.properties);
  if (patch.tags !== undefined) row.tags = JSON.stringify(patch.tags);
  if (patch.lifecycle !== undefined) row.lifecycle = patch.lifecycle;
  if (patch.version !== undefined) row.version = patch.version;
  if (patch.content !== undefined) row.content = patch.content;
  if (patch.words !== undefined) row.words = patch.words;
  if (patch.updatedAt !== undefined) row.updated_at = patch.updatedAt;
  if (patch.updatedBy !== undefined) row.updated_by = patch.updatedBy;
  if (patch.trashBatch !== undefined) row.trash_batch = patch.trashBatch;
  if (patch.dialect !== undefined) row.dialect = patch.dialect;
  return row;
}

/** Changes what a page's text says about it. What was set beside the text before moves into it, so that Markdown is the record. */
import type { ReadScope } from '../../../kernel/ports/unit-of-work.ts';
import type { Landing } from '../../../kernel/ticket.ts';
import { deriveMetadata } from '../derive-metadata.ts';
import { scanBlocks } from '../markdown/scan-blocks.ts';
import type { WorkspaceMeans } from '../means.ts';
import { nameKey } from '../names.ts';
import type { Page, PageHeader } from '../page.ts';
import { refreshMetadata } from '../refresh-metadata.ts';
import { landRevision, type Revised } from '../revise-page.ts';
import { setProperty } from './edit-frontmatter.ts';
import { addItems } from './frontmatter-list.ts';
import { readFrontmatter } from './frontmatter-yaml.ts';

type Metadata = Pick<PageHeader, 'tags' | 'properties'>;

export interface MetadataEdit {
  readonly change: (text: string) => string;
  readonly details: Readonly<Record<string, unknown>>;
}

export async function landMetadata(
  use: WorkspaceMeans,
  landing: Landing,
  page: Page,
  { change, details }: MetadataEdit,
): Promise<Revised> {
  const { text, wasBeside } = await textWithAll(use, landing.tx, page);
  const content = change(text);
  if (wasBeside) await use.pages.update(landing.tx, page.id, NOTHING_BESIDE);
  if (content === page.content) await refreshMetadata(use, landing, page, content, scanBlocks(content));
  return landRevision(use, landing, page, { content, baseVersion: page.version, details });
}

/** For a page whose text says everything by now. */
export const NOTHING_BESIDE: Metadata = { tags: [], properties: {} };

/** The text as it is with everything in it that was only set beside it. */
export async function textWithAll(
  use: Pick<WorkspaceMeans, 'pages'>,
  scope: ReadScope,
  page: Page,
): Promise<{ readonly text: string; readonly wasBeside: boolean }> {
  const names = (await use.pages.metadata(scope, page.id)).filter(({ derived }) => !derived);
  const tags = names.filter(({ kind }) => kind === 'tag').map(({ name }) => name);
  const keys = new Set(names.filter(({ kind }) => kind === 'property').map(({ name }) => name));
  if (tags.length + keys.size === 0) return { text: page.content, wasBeside: false };
  const set = Object.entries(page.properties).filter(([key]) => keys.has(key));
  const beside = { tags, properties: Object.fromEntries(set) };
  return { text: withMetadata(page.content, beside, page.dialect), wasBeside: true };
}

/** Tags that the text has already are not said twice. */
export function withMetadata(
  text: string,
  { tags, properties }: Metadata,
  dialect?: Page['dialect'],
): string {
  let result = text;
  for (const [key, value] of Object.entries(properties)) result = setProperty(result, key, value);
  return withTags(result, tags, dialect);
}

export function withTags(text: string, tags: readonly string[], dialect?: Page['dialect']): string {
  if (tags.length === 0) return text;
  const known = new Set(deriveMetadata(text, dialect).tags.map(nameKey));
  const missing = tags.filter((tag) => !known.has(nameKey(tag)));
  return missing.length === 0 ? text : addItems(text, tagsKey(text), missing);
}

/** Some write `tag`; where both stand, `tags` is what counts. */
export function tagsKey(text: string): 'tags' | 'tag' {
  const keys = new Set(readFrontmatter(text)?.entries.map(({ key }) => key));
  return keys.has('tag') && !keys.has('tags') ? 'tag' : 'tags';
}

/** Writes names that a page goes on answering to after a rename into its frontmatter, for those who read it elsewhere. */
import { SluiceError } from '../../kernel/errors.ts';
import { deriveMetadata } from './derive-metadata.ts';
import { nameKey } from './names.ts';
import type { Page } from './page.ts';
import { addItems } from './properties/frontmatter-list.ts';
import { readFrontmatter } from './properties/frontmatter-yaml.ts';

/** The text itself where it says them all already, or where its frontmatter cannot be read. */
export function withAliases({ content, dialect }: Page, aliases: readonly string[]): string {
  if (aliases.length === 0) return content;
  const said = new Set(deriveMetadata(content, dialect).aliases.map(nameKey));
  const missing = aliases.filter((alias) => !said.has(nameKey(alias)));
  if (missing.length === 0) return content;
  try {
    const keys = readFrontmatter(content)?.entries.map(({ key }) => key) ?? [];
    const key = keys.includes('alias') && !keys.includes('aliases') ? 'alias' : 'aliases';
    return addItems(content, key, missing);
  } catch (error) {
    if (error instanceof SluiceError && error.code !== 'internal') return content;
    throw error;
  }
}

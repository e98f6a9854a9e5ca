/** Sets and removes properties of a page, in its frontmatter. */
import { invalidInput } from '../../../kernel/errors.ts';
import { requireTicket, type WriteTicket } from '../../../kernel/ticket.ts';
import { loadPage } from '../find-page.ts';
import type { WorkspaceMeans } from '../means.ts';
import type { PropertyValue } from '../page.ts';
import { checkProperties, type Match, requireMatch, requireMayChange, workspaceOf } from '../page-rules.ts';
import type { Revised } from '../revise-page.ts';
import { removeProperty, setProperty } from './edit-frontmatter.ts';
import { landMetadata } from './land-metadata.ts';
import { checkType, type PropertyType } from './property-types.ts';

export interface PropertyChange extends Match {
  readonly page: string;
  /** Null removes. */
  readonly properties: Readonly<Record<string, PropertyValue>>;
  /** What values must be. */
  readonly types?: Readonly<Record<string, PropertyType>> | undefined;
}

export async function setProperties(
  use: WorkspaceMeans,
  ticket: WriteTicket,
  wish: PropertyChange,
): Promise<Revised> {
  const landing = requireTicket(ticket, 'property', 'land');
  const { tx, submission } = landing;
  const page = await loadPage(use, tx, workspaceOf(submission), wish.page);
  requireMayChange(submission, [page]);
  requireMatch(page, wish);
  const entries = Object.entries(checkProperties(wish.properties));
  for (const [key, value] of entries) {
    if (key === 'tags' || key === 'tag')
      throw invalidInput(`properties.${key}`, 'is set with tag_page and untag_page');
    checkType(key, value, wish.types?.[key]);
  }
  const change = (text: string): string => withProperties(text, entries);
  const details = { properties: entries.slice(0, NAMED).map(([key]) => key) };
  return landMetadata(use, landing, page, { change, details });
}

export const withProperties = (
  text: string,
  entries: readonly (readonly [string, PropertyValue])[],
): string =>
  entries.reduce(
    (now, [key, value]) => (value === null ? removeProperty(now, key) : setProperty(now, key, value)),
    text,
  );

/** An event says what happened, not everything about it. */
const NAMED = 20;

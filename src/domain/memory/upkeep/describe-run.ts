/** What a run did, from the workspace's log alone. */
import type { PageId } from '../../../kernel/ids.ts';
import type { EventKind, WorkspaceEvent } from '../../workspace/ports/event-log.ts';
import { MAX_BODY_BYTES } from '../memory-item.ts';

const DID: Partial<Record<EventKind, string>> = {
  page_created: 'Created',
  content_changed: 'Changed the text of',
  metadata_changed: 'Changed facts about',
  page_moved: 'Moved',
  page_renamed: 'Renamed',
  links_rewritten: 'Rewrote links in',
  page_trashed: 'Deleted',
  page_restored: 'Restored',
  files_attached: 'Attached files',
};
const NAMED = 5;
const LONGEST_TITLE = 80;

export function describeRun(events: readonly WorkspaceEvent[], titles: ReadonlyMap<PageId, string>): string {
  const lines = [...Map.groupBy(events, ({ kind }) => kind)].map(([kind, same]) => {
    const pages = [...new Set(same.flatMap(({ page }) => (page === null ? [] : [page])))];
    const named = pages
      .slice(0, NAMED)
      .map((page) => `"${(titles.get(page) ?? 'a page').slice(0, LONGEST_TITLE).toWellFormed()}"`);
    const rest = pages.length > NAMED ? ` and ${pages.length - NAMED} more` : '';
    return `- ${DID[kind] ?? kind.replaceAll('_', ' ')}${named.length > 0 ? ` ${named.join(', ')}${rest}` : ''}`;
  });
  const who = events[0]?.principalName ?? 'somebody';
  const text = [
    `A run of ${who}: ${events.length} ${events.length === 1 ? 'change' : 'changes'}.`,
    ...lines,
  ].join('\n');
  return cutToBytes(text, MAX_BODY_BYTES.episodic);
}

function cutToBytes(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return text;
  return Buffer.from(text)
    .subarray(0, most - 4)
    .toString('utf8')
    .replace(/\uFFFD+$/u, '');
}

/** The link index is what the texts and names say, derived anew page by page. */
import type { Dialect } from '../../../src/domain/workspace/markdown/dialect.ts';
import { findLinks } from '../../../src/domain/workspace/markdown/find-links.ts';
import { nameKey } from '../../../src/domain/workspace/names.ts';
import type { Ancestor } from '../../../src/domain/workspace/page.ts';
import { type Candidate, resolveLink, targetKey } from '../../../src/domain/workspace/resolve-link.ts';
import type { PageId } from '../../../src/kernel/ids.ts';
import type { Snapshot } from './snapshot.ts';

export function* checkLinks(all: Snapshot): Generator<string> {
  const byId = new Map(all.pages.map((page) => [page.id, page]));
  const wayTo = (id: string): Ancestor[] => {
    const way: Ancestor[] = [];
    for (
      let at = byId.get(id);
      at && way.length < 200;
      at = at.parent_id === null ? undefined : byId.get(at.parent_id)
    )
      way.unshift({ id: at.id as PageId, slug: at.slug, title: at.title });
    return way;
  };
  const names = new Map<string, Candidate[]>();
  const answers = (workspace: string, key: string, page: string, kind: Candidate['kind']): void => {
    const place = `${workspace} ${key}`;
    names.set(place, [...(names.get(place) ?? []), { page: page as PageId, kind, way: wayTo(page) }]);
  };
  for (const page of all.pages) {
    if (page.trash_batch !== null) continue;
    answers(page.workspace_id, nameKey(page.title), page.id, 'title');
    answers(page.workspace_id, nameKey(page.slug), page.id, 'slug');
    for (const alias of all.aliases.filter((row) => row.page_id === page.id))
      answers(page.workspace_id, nameKey(alias.alias), page.id, 'alias');
  }
  const files = new Set(all.attachments.map((file) => `${file.workspace_id} ${file.name_key}`));
  const stored = Map.groupBy(all.links, (link) => link.source_id);
  for (const page of all.pages) {
    if (page.trash_batch !== null) continue;
    const kept = stored.get(page.id) ?? [];
    const found = findLinks(page.content, undefined, (page.dialect ?? 'obsidian') as Dialect).links;
    const name = `page ${page.id} "${page.title}"`;
    if (found.length !== kept.length) {
      yield `${name} has ${found.length} links, the index ${kept.length}`;
      continue;
    }
    for (const [i, span] of found.entries()) {
      const link = kept[i] as Snapshot['links'][number];
      const at = `${name}: link ${i} "${page.content.slice(span.start, span.end)}"`;
      const place = [span.start, span.end - span.start, span.targetStart, span.targetEnd - span.targetStart];
      const known = [link.position, link.length, link.target_position, link.target_length];
      const same =
        link.ordinal === i &&
        link.form === span.form &&
        (link.embed === 1) === span.embed &&
        link.path === span.path &&
        link.fragment === (span.fragment ?? null) &&
        link.display === (span.display ?? null) &&
        link.workspace_id === page.workspace_id &&
        JSON.stringify(place) === JSON.stringify(known);
      if (!same) yield `${at} is not as the index has it: ${JSON.stringify(link)}`;
      if (span.external || span.path === '') {
        if (link.status !== (span.external ? 'external' : 'self') || link.target_id !== null)
          yield `${at} is "${link.status}" in the index`;
        continue;
      }
      if (link.target_key !== targetKey(span.path)) yield `${at} has a wrong key in the index`;
      const candidates = names.get(`${page.workspace_id} ${targetKey(span.path)}`) ?? [];
      const meant = resolveLink(span.path, wayTo(page.id), candidates);
      const toTrash =
        link.status === 'trashed' &&
        meant.status === 'unresolved' &&
        byId.get(link.target_id ?? '')?.trash_batch != null;
      // An attachment is meant where no page is.
      const toFile =
        link.status === 'file' &&
        meant.status === 'unresolved' &&
        link.target_id === null &&
        files.has(`${page.workspace_id} ${link.target_key}`);
      if (!toTrash && !toFile && (link.status !== meant.status || link.target_id !== meant.target))
        yield `${at} means ${meant.status} ${meant.target}, the index says ${link.status} ${link.target_id}`;
    }
  }
}

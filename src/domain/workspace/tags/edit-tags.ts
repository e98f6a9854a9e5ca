/** Changes the tags that a text says, in its frontmatter and in its prose. Code, links and comments hold none and stay. */
import { deriveMetadata } from '../derive-metadata.ts';
import type { Dialect } from '../markdown/dialect.ts';
import { findTags } from '../markdown/find-tags.ts';
import { nameKey } from '../names.ts';
import { mapItems } from '../properties/frontmatter-list.ts';
import { tagsKey } from '../properties/land-metadata.ts';

export interface EditedTags {
  readonly text: string;
  /** Places that were written anew. */
  readonly places: number;
}

/** For each tag what it becomes: itself, another one, or nothing, in which case its word stays in the prose. */
export function mapTags(
  text: string,
  become: (tag: string) => string | undefined,
  dialect?: Dialect,
): EditedTags | { readonly problem: string } {
  let [result, at, places] = ['', 0, 0];
  for (const { tag, start, end } of findTags(text)) {
    const now = become(tag);
    if (now === tag) continue;
    result += text.slice(at, start) + (now === undefined ? tag : `#${now}`);
    at = end;
    places += 1;
  }
  result += text.slice(at);
  const before = deriveMetadata(text, dialect);
  // Frontmatter that cannot be read says no tags.
  const edited =
    before.problem !== undefined
      ? result
      : mapItems(result, tagsKey(result), (item) => {
          const [, hash = '', tag = ''] = /^(#?)(.*)$/su.exec(item) ?? [];
          const now = become(tag);
          if (now === tag) return item;
          places += 1;
          return now === undefined ? undefined : hash + now;
        });
  const wanted = new Set(before.tags.flatMap((tag) => become(tag) ?? []).map(nameKey));
  const after = new Set(deriveMetadata(edited, dialect).tags.map(nameKey));
  if (wanted.symmetricDifference(after).size > 0)
    return { problem: 'a tag is written in a way that cannot be changed by itself' };
  return { text: edited, places };
}

import { describe, expect, it } from 'vitest';
import type { PageId } from '../../kernel/ids.ts';
import { nameKey, slugOf } from './names.ts';
import type { Ancestor } from './page.ts';
import { type Candidate, resolveLink, targetKey } from './resolve-link.ts';

interface Placed {
  readonly way: readonly Ancestor[];
  readonly aliases?: readonly string[];
}

/** A tree from paths of titles: `a/b` is a page b below the page a. Slugs follow from titles, or stand after `=`. */
function treeOf(...paths: (string | { readonly path: string; readonly aliases: readonly string[] })[]) {
  const pages = new Map<string, Placed>();
  for (const given of paths) {
    const { path, aliases } = typeof given === 'string' ? { path: given, aliases: [] } : given;
    const way = path.split('/').map((_, i, parts): Ancestor => {
      const upTo = parts.slice(0, i + 1).join('/');
      const [title = '', slug = slugOf(title)] = (parts[i] ?? '').split('=');
      return { id: upTo as PageId, title, slug };
    });
    pages.set(path, { way, aliases });
  }
  const candidates = (key: string): Candidate[] =>
    [...pages.values()].flatMap(({ way, aliases = [] }) => {
      const page = way.at(-1) as Ancestor;
      const kinds: Candidate['kind'][] = [];
      if (nameKey(page.title) === key) kinds.push('title');
      if (nameKey(page.slug) === key) kinds.push('slug');
      if (aliases.some((alias) => nameKey(alias) === key)) kinds.push('alias');
      return kinds.map((kind) => ({ page: page.id, kind, way }));
    });
  return {
    resolve(path: string, from: string) {
      const place = pages.get(from)?.way ?? [];
      const { status, target, candidates: found } = resolveLink(path, place, candidates(targetKey(path)));
      return status === 'ambiguous' ? [...found].sort() : (target ?? status);
    },
  };
}

describe('[LINK-01] a link means', () => {
  it('the page at exactly that path, before any other', () => {
    const tree = treeOf('Note', 'a/Note', 'a/From', 'b/a/Note');
    expect(tree.resolve('Note', 'a/From')).toBe('Note');
    expect(tree.resolve('a/Note', 'a/From')).toBe('a/Note');
  });

  it('else the page in the folder of the page it stands in', () => {
    const tree = treeOf('x/Note', 'long-folder/Note', 'long-folder/From', 'Other');
    expect(tree.resolve('Note', 'long-folder/From')).toBe('long-folder/Note');
  });

  it('else the page with the shortest path as text, not with the fewest parts', () => {
    const tree = treeOf('a-very-long-folder-name/Note', 'a/b/Note', 'From');
    expect(tree.resolve('Note', 'From')).toBe('a/b/Note');
  });

  it('else nothing for certain, and says what it may mean', () => {
    const tree = treeOf('a/Note', 'b/Note', 'longer/Note', 'From');
    expect(tree.resolve('Note', 'From')).toEqual(['a/Note', 'b/Note', 'longer/Note']);
  });

  it('nothing if no page has the name', () => {
    const tree = treeOf('a/Note', 'From');
    for (const path of ['Nobody', 'b/Note', 'Note/a', 'x/a/Note', '', '/', '..', '.']) {
      expect(tree.resolve(path, 'From')).toBe('unresolved');
    }
  });

  it('a page whatever the case and Unicode form it is written in', () => {
    const tree = treeOf('Log', 'Caf\u00e9', 'Straße', 'From');
    expect(tree.resolve('log', 'From')).toBe('Log');
    expect(tree.resolve('LOG', 'From')).toBe('Log');
    expect(tree.resolve('cafe\u0301', 'From')).toBe('Caf\u00e9');
    expect(tree.resolve('STRASSE', 'From')).toBe('Straße');
  });

  it('a page by its title before one by its slug', () => {
    const tree = treeOf('Alpha=beta', 'x/beta=other', 'From');
    expect(tree.resolve('beta', 'From')).toBe('x/beta=other');
    expect(tree.resolve('Alpha', 'From')).toBe('Alpha=beta');
  });

  it('a page by an alias only if nothing has that name', () => {
    const tree = treeOf({ path: 'Artificial Intelligence', aliases: ['AI', 'Log'] }, 'Log', 'From');
    expect(tree.resolve('AI', 'From')).toBe('Artificial Intelligence');
    expect(tree.resolve('ai', 'From')).toBe('Artificial Intelligence');
    expect(tree.resolve('Log', 'From')).toBe('Log');
    const two = treeOf({ path: 'One', aliases: ['AI'] }, { path: 'Two', aliases: ['AI'] }, 'From');
    expect(two.resolve('AI', 'From')).toEqual(['One', 'Two']);
  });

  it('a page below another by the alias of the page, never of the folder', () => {
    const tree = treeOf(
      { path: 'folder', aliases: ['alias'] },
      { path: 'folder/Note', aliases: ['N'] },
      'From',
    );
    expect(tree.resolve('folder/N', 'From')).toBe('folder/Note');
    expect(tree.resolve('alias/Note', 'From')).toBe('unresolved');
  });
});

describe('[LINK-02] the path of a link', () => {
  it.each(['Note.md', 'Note.MD', 'Note.markdown', 'a/Note.md'])('may carry its extension: %s', (path) => {
    expect(treeOf('a/Note', 'From').resolve(path, 'From')).toBe('a/Note');
  });

  it('keeps every other extension', () => {
    const tree = treeOf('Figure 1', 'Figure 1.png', 'From');
    expect(tree.resolve('Figure 1.png', 'From')).toBe('Figure 1.png');
    expect(tree.resolve('Figure 1.jpg', 'From')).toBe('unresolved');
  });

  it('may be written in titles or in slugs, part by part', () => {
    const tree = treeOf('My Folder/Sub Folder/My Note', 'From');
    const page = 'My Folder/Sub Folder/My Note';
    for (const path of [
      'My Folder/Sub Folder/My Note',
      'my-folder/sub-folder/my-note',
      'My Folder/sub-folder/My Note',
      'Sub Folder/My Note',
      'sub-folder/my-note',
      '/My Folder/Sub Folder/My Note',
    ]) {
      expect(tree.resolve(path, 'From')).toBe(page);
    }
    expect(tree.resolve('My Folder/My Note', 'From')).toBe('unresolved');
  });

  it('prefers a folder that is called so to one whose slug only looks so', () => {
    const tree = treeOf('foo-bar/Note', 'Foo Bar=foo-bar-2/Note', 'From');
    expect(tree.resolve('Foo Bar/Note', 'From')).toBe('Foo Bar=foo-bar-2/Note');
    expect(tree.resolve('foo-bar/Note', 'From')).toBe('foo-bar/Note');
    expect(tree.resolve('foo-bar-2/Note', 'From')).toBe('Foo Bar=foo-bar-2/Note');
  });

  it('counts from the folder of its page when it begins with a dot', () => {
    const tree = treeOf('Beta', 'a', 'a/Beta', 'a/b', 'a/b/Beta', 'a/b/From', 'a/c/Beta', 'Root');
    expect(tree.resolve('./Beta', 'a/b/From')).toBe('a/b/Beta');
    expect(tree.resolve('../Beta', 'a/b/From')).toBe('a/Beta');
    expect(tree.resolve('../Beta.md', 'a/b/From')).toBe('a/Beta');
    expect(tree.resolve('../../Beta', 'a/b/From')).toBe('Beta');
    expect(tree.resolve('../c/Beta', 'a/b/From')).toBe('a/c/Beta');
    expect(tree.resolve('./Beta', 'Root')).toBe('Beta');
    expect(tree.resolve('../b/./Beta', 'a/b/From')).toBe('a/b/Beta');
  });

  it('means what its rest means where nothing stands at the place it counts to', () => {
    const tree = treeOf('a/b/From', 'x/Gamma', 'Root');
    expect(tree.resolve('../Gamma', 'a/b/From')).toBe('x/Gamma');
    expect(tree.resolve('./x/Gamma.md', 'a/b/From')).toBe('x/Gamma');
    expect(tree.resolve('../../../../x/Gamma', 'a/b/From')).toBe('x/Gamma');
  });

  it('comes decoded: a percent sign is a percent sign', () => {
    const tree = treeOf('My Note', '100%25=x', 'From');
    expect(tree.resolve('My Note', 'From')).toBe('My Note');
    expect(tree.resolve('My%20Note', 'From')).toBe('unresolved');
    expect(tree.resolve('100%25', 'From')).toBe('100%25=x');
  });
});

describe('targetKey', () => {
  it.each([
    ['Note', 'note'],
    ['a/b/My Note.md', 'my note'],
    ['../Note', 'note'],
    ['a/', 'a'],
    ['', ''],
    ['..', ''],
  ])('of "%s" is "%s"', (path, key) => expect(targetKey(path)).toBe(key));
});

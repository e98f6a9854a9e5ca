import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testSeed } from '../../../test/support/seed.ts';
import type { PageId } from '../../kernel/ids.ts';
import { linkPathFor, writtenPath } from './link-text.ts';
import { findLinks } from './markdown/find-links.ts';
import type { NameView } from './name-view.ts';
import { nameKey, slugOf } from './names.ts';
import type { Ancestor } from './page.ts';
import type { LinkEntry } from './ports/link-store.ts';
import { resolveLink, targetKey } from './resolve-link.ts';

/** Pages from lists of titles, root first; the last title is the page's own, and its id is the titles joined. */
function viewOf(...pages: readonly (readonly string[])[]): NameView & { id(...titles: string[]): PageId } {
  const id = (...titles: string[]): PageId => titles.join(' > ') as PageId;
  const wayOf = (titles: readonly string[]): Ancestor[] =>
    titles.map((title, i) => ({ id: id(...titles.slice(0, i + 1)), title, slug: slugOf(title) }));
  return {
    id,
    way: (page) => wayOf(pages.find((titles) => id(...titles) === page) ?? []),
    files: () => [],
    candidates: (key) =>
      pages.flatMap((titles) => {
        const way = wayOf(titles);
        const page = way.at(-1) as Ancestor;
        const kinds = [
          ...(nameKey(page.title) === key ? (['title'] as const) : []),
          ...(nameKey(page.slug) === key ? (['slug'] as const) : []),
        ];
        return kinds.map((kind) => ({ page: page.id, kind, way }));
      }),
  };
}

const linkIn = (text: string, source: PageId): LinkEntry => {
  const [span] = findLinks(text).links;
  if (!span) throw new Error(`There is no link in ${text}`);
  return {
    ...span,
    source,
    ordinal: 0,
    fragment: span.fragment ?? null,
    display: span.display ?? null,
    targetKey: targetKey(span.path),
    status: 'resolved',
    target: null,
  };
};

/** The text with its first link turned to a path. */
function turned(text: string, path: string): string {
  const [span] = findLinks(text).links;
  if (!span) throw new Error(`There is no link in ${text}`);
  return text.slice(0, span.targetStart) + writtenPath(span, text, path) + text.slice(span.targetEnd);
}

describe('[LINK-03] a rewritten link', () => {
  const shortest = (view: ReturnType<typeof viewOf>, text: string, target: PageId, source: PageId) =>
    linkPathFor(linkIn(text, source), target, view);

  it('is the shortest text that means the page from where it stands', () => {
    const view = viewOf(['a', 'Note'], ['b', 'Note'], ['b', 'From'], ['Other'], ['x', 'y', 'z', 'Deep']);
    const from = view.id('b', 'From');
    expect(shortest(view, '[[Old]]', view.id('x', 'y', 'z', 'Deep'), from)).toBe('Deep');
    expect(shortest(view, '[[Old]]', view.id('b', 'Note'), from)).toBe('Note');
    expect(shortest(view, '[[Old]]', view.id('a', 'Note'), from)).toBe('a/Note');
    expect(shortest(view, '[[Old]]', view.id('b', 'Note'), view.id('Other'))).toBe('b/Note');
  });

  it('keeps the extension it had', () => {
    const view = viewOf(['a', 'Note'], ['From']);
    const target = view.id('a', 'Note');
    expect(shortest(view, '[[Old.md]]', target, view.id('From'))).toBe('Note.md');
    expect(shortest(view, '[t](Old.MD)', target, view.id('From'))).toBe('Note.MD');
    expect(shortest(view, '[t](Old.markdown)', target, view.id('From'))).toBe('Note.markdown');
  });

  it.each(['a#b', 'a^b', 'a[b', 'a]b', 'a|b', 'a\\b', 'a/b', 'a<b', 'a>b', '50%'])(
    'says the slug of a title that means something inside a link: %s',
    (title) => {
      const view = viewOf([title], ['From']);
      expect(shortest(view, '[[Old]]', view.id(title), view.id('From'))).toBe(slugOf(title));
    },
  );

  it.each(['mailto:ann', 'https://x', 'tel:5'])(
    'does not become a link out of the workspace: %s',
    (title) => {
      const view = viewOf([title], ['From']);
      for (const text of ['[[Old]]', '[t](Old)', '[t](<Old>)', '[t]: Old']) {
        const path = shortest(view, text, view.id(title), view.id('From'));
        const [link] = findLinks(turned(text, path ?? '')).links;
        expect(link).toMatchObject({ external: false });
        expect(resolveLink(link?.path ?? '', [], view.candidates(targetKey(link?.path ?? ''))).target).toBe(
          title,
        );
      }
    },
  );

  it('finds a way to write a page whose title ends like a file', () => {
    const view = viewOf(['README.md'], ['From']);
    const path = shortest(view, '[[Old]]', view.id('README.md'), view.id('From'));
    expect(resolveLink(path ?? '', [], view.candidates(targetKey(path ?? ''))).target).toBe('README.md');
  });

  it('is left alone when no text means the page', () => {
    // Both its title and its slug are another page's title at the same place.
    const view = viewOf(['Alpha'], ['From']);
    const shadow: NameView = { ...view, candidates: () => [] };
    expect(linkPathFor(linkIn('[[Old]]', view.id('From')), view.id('Alpha'), shadow)).toBeUndefined();
  });
});

describe('[LINK-04] a rewritten link keeps', () => {
  it.each([
    ['what it shows', 'see [[Old|the *old* one]] ok', 'New', 'see [[New|the *old* one]] ok'],
    ['its fragment', '[[Old#Part#Sub]]', 'a/New', '[[a/New#Part#Sub]]'],
    ['a block id', '[[Old#^b1]]', 'New', '[[New#^b1]]'],
    ['the mark of an embed', '![[Old|100x145]]', 'New', '![[New|100x145]]'],
    ['the escaped bar of a table', '| [[Old\\|x]] |\n| --- |', 'New', '| [[New\\|x]] |\n| --- |'],
    ['spaces round the path', '[[ Old ]]', 'New', '[[ New ]]'],
    ['a title attribute', '[t](Old.md "A title")', 'New.md', '[t](New.md "A title")'],
    ['percent escapes for spaces', '[t](My%20Old.md)', 'My New.md', '[t](My%20New.md)'],
    ['angle brackets', '[t](<My Old.md>)', 'My New.md', '[t](<My New.md>)'],
    ['a definition', '[t]: My%20Old.md "x"\n', 'My New.md', '[t]: My%20New.md "x"\n'],
    ['letters as they are', '[t](Alt.md)', 'Größe.md', '[t](Größe.md)'],
    ['letters escaped where they were', '[t](Gr%C3%B6%C3%9Fe.md)', 'Zürich.md', '[t](Z%C3%BCrich.md)'],
    ['code in its text', '[`a  b`](Old.md)', 'New.md', '[`a  b`](New.md)'],
    ['its place in frontmatter', '---\nx: "[[Old]]"\n---\n', 'New', '---\nx: "[[New]]"\n---\n'],
  ])('%s', (_, text, path, expected) => expect(turned(text, path)).toBe(expected));

  it.each([
    ['[t](Old.md)', 'a (b).md', '[t](a%20%28b%29.md)'],
    ['[t](Old.md)', 'what?.md', '[t](what%3F.md)'],
    ['[t](<Old.md>)', 'a (b).md', '[t](<a (b).md>)'],
    ['[t](Old.md)', 'Re:Zero.md', '[t](Re%3AZero.md)'],
    ['[t](<Old.md>)', 'Re:Zero.md', '[t](<Re%3AZero.md>)'],
  ])('its form, and what the form needs is escaped: %s', (text, path, expected) => {
    expect(turned(text, path)).toBe(expected);
  });

  it('its meaning for any path, in every form', () => {
    const segment = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
      .filter(
        (text) =>
          text.trim() === text && !/[#^[\]|\\/<>%\p{Cc}\p{Zl}\p{Zp}]/u.test(text) && text.isWellFormed(),
      )
      .filter((text) => !/^\.+$|\.md$|&/i.test(text));
    const forms = fc.constantFrom(
      'x [[Old|shown]] y',
      'x [t](Old.md) y',
      'x [t](<My Old.md> "title") y',
      'x [t](My%20Old) y',
      'x [t](Gr%C3%B6) y',
      '[t]: Old\n',
    );
    fc.assert(
      fc.property(forms, fc.array(segment, { minLength: 1, maxLength: 3 }), (text, segments) => {
        const path = segments.join('/');
        if (text.includes('[[') && /^[a-z][a-z0-9+.-]*:/i.test(path)) return;
        const [before] = findLinks(text).links;
        const after = turned(text, path);
        const [link, ...others] = findLinks(after).links;
        expect(others).toEqual([]);
        expect(link).toMatchObject({ path, external: false, form: before?.form, angle: before?.angle });
        expect(after.slice(link?.targetEnd)).toBe(text.slice(before?.targetEnd));
      }),
      { seed: testSeed(), numRuns: 500 },
    );
  });
});

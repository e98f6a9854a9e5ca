import { describe, expect, it } from 'vitest';
import type { PageId } from '../../../kernel/ids.ts';
import { fuse } from './fuse.ts';

const worded = (...pages: string[]) =>
  pages.map((page, i) => ({ page: page as PageId, score: 9 - i, updatedAt: 0 }));
const near = (...pages: string[]) =>
  pages.map((page, i) => ({ page: page as PageId, score: 0.9 - i / 10, updatedAt: 0, passage: 0 }));
const order = (hits: ReturnType<typeof fuse>): string[] =>
  hits.toSorted((a, b) => b.score - a.score).map(({ page }) => page);

describe('[SEM-18] joining words and meaning', () => {
  it('puts what has both before what has one, and words before meaning alone', () => {
    expect(order(fuse(worded('both', 'words'), near('both', 'meaning')))).toEqual([
      'both',
      'words',
      'meaning',
    ]);
  });

  it('does not let a page sink that is only too new for the index by meaning', () => {
    expect(order(fuse(worded('new', 'old'), near('old')))).toEqual(['old', 'new']);
    expect(order(fuse(worded('new', 'old'), near('old'), new Set(['new'])))).toEqual(['new', 'old']);
  });
});

/**
 * The 33 English stop words of Lucene, in folded form. They are indexed like all words, but a query ranks by
 * them only if it has nothing else.
 */
export const stopWords: ReadonlySet<string> = new Set(
  (
    'a an and are as at be but by for if in into is it no not of on or such ' +
    'that the their then there these they this to was will with'
  ).split(' '),
);

import { describe, expect, it } from 'vitest';
import { canonicalUri } from './resource-definition.ts';
import { parseUriTemplate } from './uri-template.ts';

describe('[CAT-03] a resource’s URI', () => {
  const page = parseUriTemplate('sluice://workspace/page/{slug}');
  const history = parseUriTemplate('sluice://workspace/page/{slug}/history');
  const search = parseUriTemplate('sluice://workspace/search?q={query}');

  it.each([
    ['sluice://workspace/page/alpha', { slug: 'alpha' }],
    ['sluice://workspace/page/a%2Fb', { slug: 'a/b' }],
    ['sluice://workspace/page/caf%C3%A9%20x', { slug: 'café x' }],
    ['sluice://workspace/page/..', { slug: '..' }],
  ])('%s gives its variables decoded', (uri, variables) => expect(page.match(uri)).toEqual(variables));

  it.each([
    'sluice://workspace/page/',
    'sluice://workspace/page',
    'sluice://workspace/page/a/b',
    'sluice://workspace/page/a?x=1',
    'sluice://workspace/page/a#x',
    'sluice://workspace/pagex/a',
    'xsluice://workspace/page/a',
    'sluice://workspace/page/%E0%A4%A',
    'sluice://workspace/page/%ff',
  ])('%s is of another form', (uri) => expect(page.match(uri)).toBeUndefined());

  it('of a query may hold slashes, and be empty', () => {
    expect(search.match('sluice://workspace/search?q=a%26b/c')).toEqual({ query: 'a&b/c' });
    expect(search.match('sluice://workspace/search?q=')).toEqual({ query: '' });
    expect(search.match('sluice://workspace/search')).toBeUndefined();
    expect(search.match('sluice://workspace/search?q=a&x=1')).toBeUndefined();
  });

  it('means one resource only', () => {
    expect(history.match('sluice://workspace/page/a/history')).toEqual({ slug: 'a' });
    expect(page.match('sluice://workspace/page/a/history')).toBeUndefined();
    expect(parseUriTemplate('sluice://workspace/tree').match('sluice://workspace/tree')).toEqual({});
  });

  it('keeps working under the scheme it had before', () => {
    expect(canonicalUri('inklings://workspace/page/a')).toBe('sluice://workspace/page/a');
    expect(canonicalUri('other://workspace/page/a')).toBe('other://workspace/page/a');
  });
});

import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadLayerTable } from '../../scripts/architecture/layer-table.ts';
import { renderLayerTable } from '../../scripts/architecture/render-layer-table.ts';
import { generators } from '../../scripts/docs/generators.ts';
import { findStalePaths, repositoryPath } from '../../scripts/docs/stale-paths.ts';
import { findStalePages, writePages } from '../../scripts/docs/write-pages.ts';
import { plantTree } from '../support/planted-tree.ts';
import { skipUnless } from '../support/skip.ts';

const { layers } = await loadLayerTable();

describe('[ARCH-16] the printed layer table', () => {
  it('names every layer with what it may import', () => {
    const printed = renderLayerTable([
      { name: 'kernel', path: 'kernel', mayImport: [], mustNotKnow: 'a|b' },
      {
        name: 'domain',
        path: 'domain',
        parts: true,
        siblings: { memory: ['workspace'] },
        mayImport: ['kernel'],
        mustNotKnow: 'c',
      },
    ]);
    expect(printed.split('\n').slice(2)).toEqual([
      '| `kernel` | – | a\\|b |',
      '| `domain/*` | `kernel` (memory also workspace) | c |',
    ]);
  });

  describe('in the architecture document', () => {
    skipUnless(existsSync('ARCHITECTURE.md'), 'ARCHITECTURE.md is not written yet');

    it('is the enforced one; paste this', () => {
      expect(readFileSync('ARCHITECTURE.md', 'utf8')).toContain(renderLayerTable(layers));
    });
  });
});

describe('[ARCH-17] paths in documents', () => {
  it('exist in ours', () => {
    expect(findStalePaths('.', layers)).toEqual([]);
  });

  it('are found where they are stale, with their line', () => {
    const root = plantTree({
      'README.md':
        '# x\n\nSee `src/there.ts` and `src/gone.ts:12`.\n\n```\nsrc/gone.ts `src/gone.ts`\n```\n\n`docs/gone/`',
      'docs/guides/start.md':
        '``test/gone.test.ts`` [a](../../README.md#x) [b](gone.md) [c](https://a.b/c) `[d](gone.md)`',
      'CHANGELOG.md': '`src/gone.ts`',
      'src/there.ts': '',
    });
    expect(findStalePaths(root, layers)).toEqual([
      'README.md:3 stale-path src/gone.ts does not exist',
      'README.md:9 stale-path docs/gone/ does not exist',
      'docs/guides/start.md:1 stale-path test/gone.test.ts does not exist',
      'docs/guides/start.md:1 stale-link gone.md leads nowhere',
    ]);
  });

  it.each([
    ['src/kernel/ids.ts', 'src/kernel/ids.ts'],
    ['.ci/run', '.ci/run'],
    ['bin/sluice', 'bin/sluice'],
    ['docs/adr/', 'docs/adr/'],
    ['biome.json', 'biome.json'],
    ['kernel/ids.ts', 'src/kernel/ids.ts'],
    ['src/kernel/ids.ts:7', 'src/kernel/ids.ts'],
  ])('are told from other code: %s is one', (span, path) => {
    expect(repositoryPath(span, layers)).toBe(path);
  });

  it.each([
    'tools/list',
    'tools/call',
    'npm run check',
    'bin/sluice serve',
    '/mcp',
    '~/.sluice/home.db',
    '$HOME/src/x.ts',
    'https://example.org/docs/x.md',
    'sluice://page/1',
    'src/tools/<family>/x.ts',
    'src/**/*.test.ts',
    'docs/{a,b}.md',
    'config.json',
    'compose.ts',
    '@modelcontextprotocol/server',
    'node:sqlite',
    'text/event-stream',
  ])('are told from other code: %s is none', (span) => {
    expect(repositoryPath(span, layers)).toBeUndefined();
  });
});

describe('[ARCH-18] generated pages', () => {
  const page = { path: 'docs/reference/one.md', render: async () => '# One' };

  it('are current in ours', async () => {
    expect(await findStalePages('.', generators)).toEqual([]);
  });

  it('are found when missing, edited or left over, and put right by writing', async () => {
    const root = plantTree({ 'docs/reference/old.md': '' });
    const missing = 'docs/reference/one.md is not what its generator writes; run npm run docs';
    expect(await findStalePages(root, [page])).toEqual([
      missing,
      'docs/reference/old.md has no generator; run npm run docs',
    ]);
    expect(await writePages(root, [page])).toEqual(['docs/reference/old.md', 'docs/reference/one.md']);
    expect(await findStalePages(root, [page])).toEqual([]);
    expect(await writePages(root, [page])).toEqual([]);
    expect(await findStalePages(root, [{ ...page, render: async () => '# Two' }])).toEqual([missing]);
  });
});

import { describe, expect, it } from 'vitest';
import { checkLayers } from '../../scripts/architecture/check-layers.ts';
import { loadLayerTable } from '../../scripts/architecture/layer-table.ts';
import { findingsWith } from './sound-tree.ts';

const importing = (target: string): string => `import '${target}';`;

it('[ARCH-01] accepts a tree that keeps every rule', () => {
  expect(findingsWith({})).toEqual([]);
});

it('[ARCH-01] accepts our own tree', async () => {
  expect(checkLayers('src', await loadLayerTable())).toEqual([]);
});

describe('[ARCH-01] layers', () => {
  it.each([
    ['kernel → catalogue', 'kernel/clock.ts', '../catalogue/define-tool.ts'],
    ['catalogue → domain', 'catalogue/list.ts', '../domain/governance/rules.ts'],
    ['tools → gateway', 'tools/workspace/list.ts', '../../gateway/dispatch.ts'],
    ['tools → drivers', 'tools/workspace/list.ts', '../../drivers/store/open.ts'],
    ['surfaces → domain', 'surfaces/rest/routes.ts', '../../domain/workspace/pages.ts'],
    ['surfaces → tools', 'surfaces/rest/routes.ts', '../../tools/workspace/read-page.ts'],
    ['domain → drivers', 'domain/work/tasks.ts', '../../drivers/store/open.ts'],
    ['domain → catalogue', 'domain/work/tasks.ts', '../../catalogue/define-tool.ts'],
    ['drivers → tools', 'drivers/web/fetch.ts', '../../tools/workspace/read-page.ts'],
    ['gateway → domain/workspace', 'gateway/call.ts', '../domain/workspace/pages.ts'],
    ['gateway → tools', 'gateway/call.ts', '../tools/workspace/read-page.ts'],
    ['config → domain', 'config/schema.ts', '../domain/governance/rules.ts'],
    ['cli → domain', 'cli/commands/page/show.ts', '../../../domain/workspace/pages.ts'],
    ['cli → surfaces/mcp', 'cli/serve.ts', '../surfaces/mcp/legacy-session.ts'],
    ['app → cli', 'app/start.ts', '../cli/output.ts'],
    ['anything → the public API', 'kernel/clock.ts', '../index.ts'],
    ['a test beside the code', 'gateway/call.test.ts', '../domain/workspace/pages.ts'],
  ])('refuse %s', (_, path, target) => {
    expect(findingsWith({ [path]: importing(target) })).toEqual([`${path}:1 layer-import`]);
  });

  const target = '../catalogue/define-tool.ts';
  it.each([
    ['import type', `import type { Tool } from '${target}';`],
    ['export from', `export { defineTool } from '${target}'; export const a = 1;`],
    ['export * from', `export * from '${target}'; export const a = 1;`],
    ['import()', `export const tool = () => import('${target}');`],
    ['import() of a plain template', `export const tool = () => import(\`${target}\`);`],
    ['import type by import()', `export type Tool = import('${target}').Tool;`],
    ['a worker', `export const worker = new URL('${target}', import.meta.url);`],
    ['require', `export const tool = require('${target}');`],
  ])('are held to by %s', (_, text) => {
    expect(findingsWith({ 'kernel/clock.ts': `\n${text}` })).toEqual(['kernel/clock.ts:2 layer-import']);
  });

  it('are held to in JavaScript', () => {
    expect(findingsWith({ 'kernel/clock.mjs': importing(target) })).toEqual([
      'kernel/clock.mjs:1 layer-import',
    ]);
  });

  it('are all there is', () => {
    expect(findingsWith({ 'platform/clock.ts': '' })).toEqual(['platform/clock.ts:1 layer-unknown']);
    expect(findingsWith({ 'clock.ts': '' })).toEqual(['clock.ts:1 layer-unknown']);
  });
});

describe('[ARCH-02] parts', () => {
  it.each([
    ['tools → another family', 'tools/help/topics.ts', '../workspace/read-page.ts'],
    ['domain → another area', 'domain/work/tasks.ts', '../governance/rules.ts'],
    ['domain, against the named direction', 'domain/workspace/links.ts', '../memory/items.ts'],
    ['drivers → another driver', 'drivers/web/fetch.ts', '../store/open.ts'],
    ['surfaces → another wire', 'surfaces/rest/routes.ts', '../mcp/legacy-session.ts'],
  ])('refuse %s', (_, path, target) => {
    expect(findingsWith({ [path]: importing(target) })).toEqual([`${path}:1 layer-import`]);
  });

  it('hold every file of their layer', () => {
    expect(findingsWith({ 'tools/list.ts': '' })).toEqual(['tools/list.ts:1 layer-part']);
  });
});

describe('[ARCH-03] the public API', () => {
  it.each([
    ['a tool', `export { readPage } from './tools/workspace/read-page.ts';`],
    ['the gateway', `export { dispatch } from './gateway/dispatch.ts';`],
    ['a value of the catalogue', `export { defineTool } from './catalogue/define-tool.ts';`],
  ])('does not reach %s', (_, text) => {
    expect(findingsWith({ 'index.ts': text })).toEqual(['index.ts:1 layer-import']);
  });
});

it('[ARCH-04] refuses imports that lead out of the tree', () => {
  const support = '../../test/support/seed.ts';
  expect(findingsWith({ 'kernel/clock.ts': importing(support) })).toEqual([
    'kernel/clock.ts:1 import-outside',
  ]);
  expect(findingsWith({ 'kernel/clock.test.ts': importing(support) })).toEqual([]);
});

describe('[ARCH-05] cycles', () => {
  it('are found, also long ones', () => {
    const cycle = {
      'kernel/a.ts': importing('./b.ts'),
      'kernel/b.ts': `export const c = () => import('./c.ts');`,
      'kernel/c.ts': `export * from './a.ts'; export const c = 1;`,
    };
    expect(findingsWith(cycle)).toEqual(['kernel/a.ts:1 cycle']);
  });

  it('are found when a file imports itself', () => {
    expect(findingsWith({ 'kernel/a.ts': importing('./a.ts') })).toEqual(['kernel/a.ts:1 cycle']);
  });

  it('are closed by a type in braces, whose module still runs, but not by an import of types', () => {
    const b = { 'kernel/b.ts': importing('./a.ts') };
    expect(findingsWith({ ...b, 'kernel/a.ts': `import { type B } from './b.ts';` })).toHaveLength(1);
    expect(findingsWith({ ...b, 'kernel/a.ts': `import type { B } from './b.ts';` })).toEqual([]);
  });
});

describe('[ARCH-06] an import', () => {
  it.each([
    ['names a file that exists', importing('./gone.ts'), 'import-missing'],
    ['names it with its extension', importing('./errors'), 'import-missing'],
    ['can be read', 'export const load = (name: string) => import(name);', 'import-computed'],
  ])('%s', (_, text, rule) => {
    expect(findingsWith({ 'kernel/clock.ts': text })).toEqual([`kernel/clock.ts:1 ${rule}`]);
  });

  it('may be computed in a driver, which loads what is not ours', () => {
    const text = 'export const load = (name: string) => import(name);';
    expect(findingsWith({ 'drivers/web/load.ts': text })).toEqual([]);
  });

  it('of a file that cannot be parsed is reported, not passed over', () => {
    expect(findingsWith({ 'kernel/clock.ts': 'export const = ;' })).toContain('kernel/clock.ts:1 unreadable');
  });
});

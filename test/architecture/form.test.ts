import { describe, expect, it } from 'vitest';
import { findingsWith } from './sound-tree.ts';

describe('[ARCH-10] exports', () => {
  it.each([
    ['a default function', 'export default function clock() {}'],
    ['a default expression', 'export default 1;'],
    ['a default by name', 'const clock = 1; export { clock as default };'],
    ['a default of another module', `export { default } from 'zod'; export const clock = 1;`],
  ])('by default are refused: %s', (_, text) => {
    expect(findingsWith({ 'kernel/clock.ts': text })).toEqual(['kernel/clock.ts:1 default-export']);
  });

  it.each([
    ['an index', 'kernel/index.ts', 'export const clock = 1;'],
    ['passes on by name', 'kernel/all.ts', `export { fail } from './errors.ts';`],
    ['passes on everything', 'kernel/all.ts', `export * from './errors.ts';\nexport * from './ticket.ts';`],
  ])('by a barrel are refused: %s', (_, path, text) => {
    expect(findingsWith({ [path]: text })).toContain(`${path}:1 barrel`);
  });
});

describe('[ARCH-11] names', () => {
  it.each([
    'kernel/canonicalJson.ts',
    'kernel/Clock.ts',
    'kernel/canonical_json.ts',
    'drivers/WebFetch/fetch.ts',
    'kernel/clock-.ts',
  ])('%s is not kebab-case', (path) => {
    expect(findingsWith({ [path]: '' })).toEqual([`${path}:1 name-case`]);
  });

  it.each([
    'kernel/utils.ts',
    'kernel/string-helpers.ts',
    'domain/common/ids.ts',
    'gateway/call-manager.ts',
    'domain/workspace/page-service.ts',
    'gateway/dispatch-v2.ts',
    'gateway/new-dispatch.ts',
    'gateway/legacy.ts',
    'surfaces/rest/legacy.ts',
    'kernel/utils.test.ts',
  ])('%s says nothing', (path) => {
    expect(findingsWith({ [path]: '' })).toEqual([`${path}:1 name-word`]);
  });

  it.each(['kernel/renewal.ts', 'kernel/services.ts', 'surfaces/mcp/legacy.ts', 'kernel/clock.worker.ts'])(
    '%s is fine',
    (path) => {
      expect(findingsWith({ [path]: '' })).toEqual([]);
    },
  );
});

describe('[ARCH-12] a tool', () => {
  const declaring = (name: string): string => `declare const defineTool: (tool: object) => unknown;
export const tool = defineTool({ summary: '', name: '${name}' });`;

  it.each([
    ['update_page_content', 'tools/workspace/update-page-content.ts'],
    ['audit.list', 'tools/audit/list.ts'],
    ['audit.list', 'tools/control/audit/list.ts'],
    ['allowed_images.list', 'tools/sandbox/allowed-images/list.ts'],
  ])('%s may lie in %s', (name, path) => {
    expect(findingsWith({ [path]: declaring(name) })).toEqual([]);
  });

  it.each([
    ['update_page_content', 'tools/workspace/update-page.ts'],
    ['update_page_content', 'tools/workspace/content.ts'],
    ['audit.list', 'tools/control/list.ts'],
    ['audit.list', 'tools/control/audit-list.ts'],
    ['audit.list', 'tools/control/audit/get.ts'],
    ['read_page', 'app/read-page.ts'],
  ])('%s may not lie in %s', (name, path) => {
    expect(findingsWith({ [path]: declaring(name) })).toEqual([`${path}:2 tool-name`]);
  });

  it('made from data has no file of its own', () => {
    const text = `export const tool = (name: string) => defineTool({ name: \`\${name}.x\` });`;
    expect(findingsWith({ 'tools/providers/offer.ts': text })).toEqual([]);
  });
});

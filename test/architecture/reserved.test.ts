import { describe, expect, it } from 'vitest';
import { findingsWith } from './sound-tree.ts';

const path = 'gateway/call.ts';

describe('[ARCH-07] reserved modules', () => {
  it.each([
    ['@modelcontextprotocol/server', 'gateway/call.ts'],
    ['@modelcontextprotocol/server/anything', 'surfaces/rest/routes.ts'],
    ['node:child_process', 'tools/sandbox/exec.ts'],
    ['child_process', 'tools/sandbox/exec.ts'],
    ['node:sqlite', 'domain/work/tasks.ts'],
    ['pg', 'drivers/web/fetch.ts'],
    ['kysely', 'app/compose-store.ts'],
    ['kysely/helpers/sqlite', 'app/compose-store.ts'],
    ['loro-crdt', 'domain/workspace/merge.ts'],
    ['commander', 'app/start.ts'],
  ])('%s is refused in %s', (module, file) => {
    expect(findingsWith({ [file]: `import '${module}';` })).toEqual([`${file}:1 reserved-module`]);
    expect(findingsWith({ [file]: `import type { A } from '${module}';` })).toHaveLength(1);
  });

  it.each([
    ['@modelcontextprotocol/server', 'drivers/mcp-upstream/connect.ts'],
    ['node:child_process', 'drivers/git/clone.ts'],
    ['node:sqlite', 'drivers/home/lock.ts'],
    ['pg', 'drivers/store/pool.ts'],
    ['commander', 'cli/main.ts'],
  ])('%s is admitted in %s', (module, file) => {
    expect(findingsWith({ [file]: `import '${module}';` })).toEqual([]);
  });

  it('stay reserved in tests, built-in ones excepted', () => {
    const test = 'gateway/call.test.ts';
    expect(findingsWith({ [test]: `import 'pg';` })).toEqual([`${test}:1 reserved-module`]);
    expect(findingsWith({ [test]: `import 'node:sqlite';` })).toEqual([]);
  });
});

describe('[ARCH-08] reserved globals', () => {
  it.each([
    ['process.env', 'export const home = process.env.HOME;'],
    ['process.env by key', `export const home = process['env'];`],
    ['process.env from globalThis', 'export const home = globalThis.process.env;'],
    ['process.env taken apart', 'const { env } = process; export const home = env.HOME;'],
    ['env of node:process', `import { env } from 'node:process'; export const home = env;`],
    ['process under another name', `import p from 'node:process'; export const home = p.env;`],
    ['console', `export const say = () => console.log('x');`],
    ['console as a value', 'export const out = [console];'],
    ['console in short', 'export const out = { console };'],
    ['console from globalThis', `export const say = () => globalThis.console.log('x');`],
    ['console as a module', `import { Console } from 'node:console'; export const out = Console;`],
  ])('%s is refused', (_, text) => {
    expect(findingsWith({ [path]: text })).toEqual([`${path}:1 reserved-global`]);
  });

  it('may have namesakes', () => {
    const text = `export interface Surfaces { console: boolean; env: string }
export const open = (surfaces: Surfaces) => [surfaces.console, surfaces.env, { console: 1, env: 2 }];`;
    expect(findingsWith({ [path]: text })).toEqual([]);
  });

  it('are free in tests', () => {
    expect(findingsWith({ 'gateway/call.test.ts': 'console.log(process.env);' })).toEqual([]);
  });
});

describe('[ARCH-09] packages', () => {
  it.each(['vitest', 'micromark', 'left-pad', 'sluice'])('%s is no dependency of the product', (name) => {
    expect(findingsWith({ [path]: `import '${name}';` })).toEqual([`${path}:1 package-unlisted`]);
  });

  it.each(['vitest', 'fast-check', 'micromark'])('%s may be used by tests', (name) => {
    expect(findingsWith({ 'gateway/call.test.ts': `import '${name}';` })).toEqual([]);
  });

  it('of the development tools are not for tests either, a reserved one in its place excepted', () => {
    const text = `import '@modelcontextprotocol/client';`;
    expect(findingsWith({ 'gateway/call.test.ts': `import 'oxc-parser';` })).toHaveLength(1);
    expect(findingsWith({ 'surfaces/mcp/http.test.ts': text })).toEqual([]);
    expect(findingsWith({ 'surfaces/mcp/http.ts': text })).toEqual([
      'surfaces/mcp/http.ts:1 package-unlisted',
    ]);
  });
});

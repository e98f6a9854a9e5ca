import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createCatalogue } from './catalogue.ts';
import { bindFamily, defineFamily } from './family.ts';
import { definePrompt } from './prompt-definition.ts';
import { defineResource } from './resource-definition.ts';
import { type DeclaredTool, defineTool } from './tool-definition.ts';
import { isToolName, nameInForm } from './tool-names.ts';
import { describeTool } from './wire-tool.ts';

const shape = { title: 'T', scopes: [], example: {}, input: z.object({}), output: z.object({}) } as const;
const tool = (name: string, summary = 'Does it.'): DeclaredTool<unknown> =>
  defineTool({ ...shape, name, summary, effect: 'read_only', handler: async () => ({}) });

const catalogueOf = (...tools: DeclaredTool<unknown>[]) =>
  createCatalogue([bindFamily(defineFamily('test', { tools }), undefined)]);

describe('[CAT-05] a name', () => {
  it.each(['a', 'read_page', 'sandbox.create', 'sandbox.allowed_images.add', 'a1.b2', `a${'b'.repeat(63)}`])(
    'may be "%s"',
    (name) => expect(isToolName(name)).toBe(true),
  );

  it.each(['', 'A', '1a', 'a.', '.a', 'a..b', 'a.1', 'a-b', 'a b', 'ä', `a${'b'.repeat(64)}`, 'a\n', '_a'])(
    'may not be "%s"',
    (name) => {
      expect(isToolName(name)).toBe(false);
      expect(() => catalogueOf(tool(name))).toThrow('at most 64 characters');
    },
  );

  it('answers in both forms', () => {
    const catalogue = catalogueOf(tool('db.task.get'), tool('read_page'));
    expect(catalogue.tool('db.task.get')).toBe(catalogue.tool('db_task_get'));
    expect(catalogue.tool('read_page')?.name).toBe('read_page');
    expect(catalogue.tool('read.page')).toBeUndefined();
    expect(catalogue.tool('DB.task.get')).toBeUndefined();
    expect(catalogue.tool('constructor')).toBeUndefined();
    expect(nameInForm('db.task.get', 'underscore')).toBe('db_task_get');
    expect(nameInForm('db.task.get', 'dotted')).toBe('db.task.get');
  });

  it.each([
    ['a_b', 'a_b'],
    ['a.b', 'a_b'],
    ['a.b_c', 'a_b.c'],
  ])('is not given twice: %s and %s', (one, other) => {
    expect(() => catalogueOf(tool(one), tool(other))).toThrow('Two tools answer to the name');
  });
});

describe('[CAT-06] the catalogue', () => {
  it('is the same list whatever the order of declaration', () => {
    const one = catalogueOf(tool('b'), tool('a.c'), tool('a'));
    const other = catalogueOf(tool('a'), tool('b'), tool('a.c'));
    expect(one.tools.map(({ name }) => name)).toEqual(['a', 'a.c', 'b']);
    expect(other.version).toBe(one.version);
  });

  it('has another version when anything a client can see changes', () => {
    const version = catalogueOf(tool('a')).version;
    expect(catalogueOf(tool('a', 'Does more.')).version).not.toBe(version);
    expect(catalogueOf(tool('a'), tool('b')).version).not.toBe(version);
    const wider = defineTool({
      ...shape,
      name: 'a',
      summary: 'Does it.',
      input: z.object({ x: z.string().optional() }),
      effect: 'read_only',
      handler: async () => ({}),
    });
    expect(catalogueOf(wider).version).not.toBe(version);
    expect(catalogueOf(tool('a')).version).toBe(version);
  });
});

describe('[CAT-07] what a declaration leaves out', () => {
  it('has one meaning', () => {
    expect(tool('a')).toMatchObject({
      kind: 'tool',
      mode: 'read',
      roles: 'any',
      reach: 'both',
      sandboxEligible: false,
      taskScoped: [],
      needsWorkspace: true,
      survivesOffSwitch: false,
      destructive: false,
      idempotent: false,
      limits: { inputBytes: 262_144, outputBytes: 1_048_576, timeoutMs: 60_000 },
    });
  });

  it('leaves the limits that are not named at their defaults', () => {
    const limited = defineTool({
      ...shape,
      name: 'a',
      summary: 'S.',
      limits: { timeoutMs: 5 },
      effect: 'external_side_effect',
      handler: async () => ({}),
    });
    expect(limited.limits).toEqual({ inputBytes: 262_144, outputBytes: 1_048_576, timeoutMs: 5 });
    expect(limited.mode).toBe('action');
  });

  it('is told to clients by hints that follow from the effect', () => {
    const annotationsOf = (declared: DeclaredTool<unknown>) => describeTool(declared, 'dotted').annotations;
    const write = { kind: 'page', derivation: 'none' } as const;
    const base = { ...shape, name: 'a.b', summary: 'S.', handler: async () => ({}) };
    expect(annotationsOf(tool('a'))).toEqual({
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    });
    const writer = defineTool({ ...base, effect: 'local_side_effect', write, destructive: true });
    expect(annotationsOf(writer)).toEqual({
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: false,
    });
    const outside = defineTool({ ...base, effect: 'external_side_effect' });
    expect(annotationsOf(outside)).toMatchObject({ readOnlyHint: false, openWorldHint: true });
    expect(describeTool(outside, 'underscore').name).toBe('a_b');
  });

  it('is the same for resources and prompts', () => {
    const common = { name: 'x', title: 'X', summary: 'S.', scopes: [] } as const;
    const resource = defineResource({
      ...common,
      uri: 'sluice://x/{y}',
      mimeType: 'text/plain',
      handler: async () => ({ mimeType: 'text/plain', text: '' }),
    });
    const prompt = definePrompt({ ...common, arguments: [], handler: async () => [] });
    for (const entry of [resource, prompt]) {
      expect(entry).toMatchObject({ effect: 'read_only', roles: 'any', needsWorkspace: true });
    }
    const catalogue = createCatalogue([
      bindFamily(defineFamily('test', { resources: [resource], prompts: [prompt] }), undefined),
    ]);
    expect(catalogue.prompt('x')?.family).toBe('test');
    expect(catalogue.resource('inklings://x/a%20b')).toMatchObject({ variables: { y: 'a b' } });
    expect(catalogue.resource('sluice://z')).toBeUndefined();
  });
});

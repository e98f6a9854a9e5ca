import { describe, expect, it } from 'vitest';
import { findingsWith } from './sound-tree.ts';

const path = 'gateway/call.ts';
const tool = 'declare const tool: { handler(input: unknown): void };\n';

describe('[ARCH-13] a handler', () => {
  it.each([
    ['called', 'tool.handler(1);'],
    ['called if there', 'tool?.handler?.(1);'],
    ['called by key', `tool['handler'](1);`],
    ['called behind a cast', '(tool.handler as () => void)();'],
    ['called by call behind a cast', '(tool.handler as () => void).call(tool);'],
    ['called by call', 'tool.handler.call(tool, 1);'],
    ['called by apply', 'tool.handler.apply(tool, [1]);'],
    ['called by Reflect', 'Reflect.apply(tool.handler, tool, [1]);'],
    ['bound under another name', 'export const run = tool.handler.bind(tool);'],
    ['taken out and called', 'const { handler } = tool; handler(1);'],
    ['taken out under another name and called', 'const { handler: run } = tool; run(1);'],
    ['taken as a parameter and called', 'export const run = ({ handler }: typeof tool) => handler(1);'],
    ['given another name and called', 'const run = tool.handler; run(1);'],
    ['handed to somebody else', 'export const all = [1].map(tool.handler);'],
  ])('may not be %s', (_, text) => {
    expect(findingsWith({ [path]: tool + text })).toEqual([`${path}:2 handler-call`]);
  });

  it('may not be called from its neighbours of the one way in', () => {
    const neighbour = 'gateway/steps/run-handlers.ts';
    expect(findingsWith({ [neighbour]: `${tool}tool.handler(1);` })).toEqual([`${neighbour}:2 handler-call`]);
  });

  it('may be declared, copied and bound as a handler, and called by its own test', () => {
    const text =
      'export const bound = { handler: tool.handler.bind(tool), other: { handler: tool.handler } };';
    expect(findingsWith({ 'catalogue/bind.ts': tool + text })).toEqual([]);
    expect(findingsWith({ 'tools/workspace/read-page.test.ts': `${tool}tool.handler(1);` })).toEqual([]);
  });
});

describe('[ARCH-14] a ticket', () => {
  const ticket = `import { LandTicket, type WriteTicket } from '../kernel/ticket.ts';\n`;
  it.each([
    ['a cast', 'export const forged = {} as WriteTicket;'],
    ['a cast by way of unknown', 'export const forged = {} as unknown as LandTicket;'],
    ['a cast in angle brackets', 'export const forged = <WriteTicket>{};'],
    [
      'a cast to something with one inside',
      'export const forged = {} as { ticket: readonly WriteTicket[] };',
    ],
    ['a cast to what a spent one gives', 'export const forged = {} as Landing;'],
    ['Reflect.construct', 'export const forged = Reflect.construct(LandTicket, []);'],
    [
      'Object.setPrototypeOf',
      'export const forged = (model: LandTicket) => Object.setPrototypeOf({}, model, LandTicket);',
    ],
    ['a prototype of its own', 'export const forged = { __proto__: LandTicket.prototype };'],
    ['new', 'export const forged = new LandTicket();'],
    ['a subclass', 'export class Forged extends LandTicket {}'],
  ])('is not made by %s', (_, text) => {
    expect(findingsWith({ [path]: ticket + text })).toEqual([`${path}:2 ticket-forged`]);
  });

  it('is not made from its prototype', () => {
    const text = `${ticket}export const forged = Object.create(LandTicket.prototype);`;
    expect(new Set(findingsWith({ [path]: text }))).toEqual(new Set([`${path}:2 ticket-forged`]));
  });

  it('may be passed on and asked for', () => {
    const text = `${ticket}export const take = (given: WriteTicket) => LandTicket.holds(given) satisfies boolean;
export const ask = (given: unknown) => given as typeof requireTicket;`;
    expect(findingsWith({ [path]: text })).toEqual([]);
  });

  const mint = '../kernel/ticket.ts';
  it.each([
    ['an import', `import { createTicketMint } from '${mint}';`],
    ['an import under another name', `import { createTicketMint as make } from '${mint}';`],
    ['a module object', `import * as t from '${mint}'; export const m = t.createTicketMint;`],
    ['a computed key', `import * as t from '${mint}'; export const m = t['createTicketMint'];`],
    ['passing it on', `export { createTicketMint } from '${mint}'; export const a = 1;`],
  ])('has a mint that nobody gets by %s', (_, text) => {
    expect(new Set(findingsWith({ [path]: text }))).toEqual(new Set([`${path}:1 ticket-mint`]));
  });

  it('has a mint that composition and tests may make', () => {
    const text = `import { createTicketMint } from '${mint}';`;
    expect(findingsWith({ 'app/start.ts': text, 'gateway/call.test.ts': text })).toEqual([]);
  });
});

describe('[ARCH-15] SQL', () => {
  it.each([
    ['select', `export const text = 'SELECT id FROM pages';`],
    ['insert', `export const text = "insert into pages values (1)";`],
    ['update', `export const text = (t: string) => \`update \${t} set x = 1\`;`],
    ['delete', `export const text = 'delete from pages';`],
    ['create', 'export const text = `create  table x (id)`;'],
    ['lines', 'export const text = `select id\\n from pages`;'],
    ['a statement with a name added', `export const text = (t: string) => 'delete from ' + t;`],
    ['a concatenation', `export const text = 'select id ' + 'from pages';`],
  ])('is refused outside the stores: %s', (_, text) => {
    expect(findingsWith({ 'domain/work/tasks.ts': text })).toEqual(['domain/work/tasks.ts:1 sql']);
  });

  it('is written where a database client may be', () => {
    const text = `export const text = 'select id from pages';`;
    expect(findingsWith({ 'drivers/store/pages.ts': text, 'drivers/home/lock.ts': text })).toEqual([]);
    expect(findingsWith({ 'drivers/web/cache.ts': text })).toEqual(['drivers/web/cache.ts:1 sql']);
  });
});

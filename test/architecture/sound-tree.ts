/** A small source tree that keeps every rule; each test plants one violation into it and expects that one only. */
import { checkLayers } from '../../scripts/architecture/check-layers.ts';
import { loadLayerTable } from '../../scripts/architecture/layer-table.ts';
import { type Planted, plantTree } from '../support/planted-tree.ts';

const soundTree: Planted = {
  'index.ts': `export { compose } from './app/compose.ts';
export { fail } from './kernel/errors.ts';
export type { Tool } from './catalogue/define-tool.ts';`,
  'kernel/errors.ts': `import type { Ticket } from './ticket.ts';
export function fail(ticket?: Ticket): never { throw new Error(String(ticket)); }`,
  'kernel/ticket.ts': `import { fail } from './errors.ts';
export class WriteTicket {}
export type Ticket = WriteTicket;
export const createTicketMint = () => ({ mint: () => ({}) as WriteTicket, fail });`,
  'catalogue/define-tool.ts': `import { z } from 'zod';
export interface Tool { name: string; handler(): void }
export const defineTool = (tool: Tool): Tool => ({ ...tool, handler: tool.handler.bind(z) });`,
  'domain/governance/rules.ts': `import { fail } from '../../kernel/errors.ts'; export const rules = [fail];`,
  'domain/workspace/pages.ts': `export const pages = 'Select a page, update it, delete it: prose is no SQL';`,
  'domain/memory/items.ts': `import { pages } from '../workspace/pages.ts'; export const items = [pages];`,
  'gateway/dispatch.ts': `import { rules } from '../domain/governance/rules.ts';
import { run } from './steps/run-handler.ts';
export const dispatch = () => run({ handler: () => rules });`,
  'gateway/steps/run-handler.ts': `export const run = (tool: { handler(): unknown }) => tool.handler();`,
  'gateway/dispatch.test.ts': `import { spawn } from 'node:child_process';
import { it } from 'vitest';
import { testSeed } from '../../test/support/seed.ts';
import { dispatch } from './dispatch.ts';
it('runs', () => console.log(process.env, spawn, testSeed, dispatch));`,
  'tools/workspace/read-page.ts': `import { defineTool } from '../../catalogue/define-tool.ts';
import { pages } from '../../domain/workspace/pages.ts';
export const readPage = defineTool({ name: 'read_page', handler: () => pages });`,
  'tools/control/audit/list.ts': `import { defineTool } from '../../../catalogue/define-tool.ts';
export const listAudit = defineTool({ name: 'db.audit.list', handler() {} });`,
  'drivers/store/open.ts': `import { DatabaseSync } from 'node:sqlite';
export const open = (db: DatabaseSync) => db.exec('insert into pages values (1)');
export const worker = new URL('./write.worker.ts', import.meta.url);`,
  'drivers/store/write.worker.ts': `import type { open } from './open.ts';
import './open.ts';
export const task = (): typeof open | undefined => undefined;`,
  'surfaces/mcp/legacy-session.ts': `import { Server } from '@modelcontextprotocol/server';
import { dispatch } from '../../gateway/dispatch.ts';
export const serve = () => new Server(dispatch);`,
  'surfaces/daemon-rpc/connect.ts': `export const connect = () => {};`,
  'config/load.ts': `import { version } from '../../package.json' with { type: 'json' };
export const load = () => ({ ...process.env, version });`,
  'app/compose.ts': `import { createTicketMint } from '../kernel/ticket.ts';
import { readPage } from '../tools/workspace/read-page.ts';
export const compose = () => ({ mint: createTicketMint(), readPage });`,
  'cli/main.ts': `import { connect } from '../surfaces/daemon-rpc/connect.ts';
import { print } from './output.ts';
export const main = () => print(connect);`,
  'cli/output.ts': `export const print = (what: unknown) => console.log(what);`,
};

const table = await loadLayerTable();
const around: Planted = { 'package.json': '{}', 'test/support/seed.ts': '' };

/** The findings of the sound tree with `planted` laid over it, as `path:line rule`. */
export function findingsWith(planted: Planted): string[] {
  const files = Object.entries({ ...soundTree, ...planted }).map(([path, text]) => [`src/${path}`, text]);
  const root = `${plantTree({ ...around, ...Object.fromEntries(files) })}/src`;
  return checkLayers(root, table).map((line) =>
    line.replace(`${root}/`, '').split(' ').slice(0, 2).join(' '),
  );
}

/**
 * The layers of Sluice as data: read by the checker, printed in ARCHITECTURE.md and tested.
 *
 * `path` is the folder of the layer below src/; a layer with `parts: true` is divided into sub-folders, each
 * of which is a part of its own that may not import its siblings unless `siblings` names them.
 */
export const layers = [
  { name: 'kernel', path: 'kernel', mayImport: [], mustNotKnow: 'anything of ours' },
  { name: 'catalogue', path: 'catalogue', mayImport: ['kernel'], mustNotKnow: 'who calls, where data lives' },
  {
    name: 'domain',
    path: 'domain',
    parts: true,
    siblings: { memory: ['workspace'] },
    mayImport: ['kernel'],
    mustNotKnow: 'tools, wire, SQL, other areas',
  },
  {
    name: 'gateway',
    path: 'gateway',
    mayImport: ['kernel', 'catalogue', 'domain/governance'],
    mustNotKnow: 'which tools exist, transports, SQL',
  },
  {
    name: 'tools',
    path: 'tools',
    parts: true,
    mayImport: ['kernel', 'catalogue', 'domain'],
    mustNotKnow: 'gateway, surfaces, drivers, other families',
  },
  {
    name: 'drivers',
    path: 'drivers',
    parts: true,
    siblings: { embedding: ['workers'], firewall: ['workers'] },
    mayImport: ['kernel', 'domain'],
    mustNotKnow: 'tools, gateway, surfaces',
  },
  {
    name: 'surfaces',
    path: 'surfaces',
    parts: true,
    mayImport: ['kernel', 'gateway'],
    mustNotKnow: 'tools, domain, drivers',
  },
  { name: 'config', path: 'config', mayImport: ['kernel'], mustNotKnow: 'what it configures' },
  {
    name: 'app',
    path: 'app',
    mayImport: ['kernel', 'catalogue', 'domain', 'gateway', 'tools', 'drivers', 'surfaces', 'config'],
    mustNotKnow: 'the command line',
  },
  {
    name: 'cli',
    path: 'cli',
    mayImport: ['kernel', 'config', 'app', 'surfaces/daemon-rpc'],
    mustNotKnow: 'domain, drivers',
  },
];

/** Packages and globals that only some places may touch. `module` ending in `*` matches a prefix. */
export const reserved = [
  { module: '@modelcontextprotocol/*', only: ['surfaces/mcp', 'drivers/mcp-upstream'] },
  { module: 'node:child_process', only: ['drivers'] },
  { module: 'node:sqlite', only: ['drivers/store', 'drivers/home'] },
  { module: 'pg', only: ['drivers/store'] },
  { module: 'kysely', only: ['drivers/store'] },
  { module: 'kysely/*', only: ['drivers/store'] },
  { module: 'loro-crdt', only: ['drivers/loro'] },
  { module: 'commander', only: ['cli'] },
  { global: 'process.env', only: ['config'] },
  { global: 'console', only: ['cli/output.ts'] },
];

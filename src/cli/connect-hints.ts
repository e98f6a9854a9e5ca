/** What a person needs to know after the start: where it listens, how to connect, where the data lies. */
import { isAbsolute, relative } from 'node:path';
import { programPath } from '../app/program-path.ts';
import { findHome } from '../config/home.ts';
import { CLIENT_KINDS } from './client-snippets.ts';

/** The commands are written so that they can be typed as they stand. */
export function connectHints(url: string, home: string): string {
  const sluice = programAsTyped(process.cwd(), programPath());
  const there = home === findHome(undefined) ? '' : ` --home ${quoted(home)}`;
  return [
    `Sluice listens at ${url}`,
    `Data lies in ${home}`,
    '',
    'Connect a client; each gets a token of its own:',
    ...CLIENT_KINDS.map((kind) => `  ${sluice} connect ${kind}${there}`),
    '',
    'Or let a client start Sluice itself over stdio, without a token:',
    `  ${sluice} mcp --client NAME${there}`,
    '',
    `Stop with Ctrl-C. "${sluice} --help" lists everything else.`,
  ].join('\n');
}

/** From the folder of a checkout its own program; an installed one is found by its name. */
export function programAsTyped(from: string, program: string): string {
  const way = relative(from, program);
  const own = !way.startsWith('..') && !isAbsolute(way) && !way.includes('node_modules');
  return own ? `./${way}` : 'sluice';
}

const quoted = (path: string): string =>
  /^[\w/.@:+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;

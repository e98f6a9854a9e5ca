/** What a person needs to know after the start: where it listens, how to connect, where the data lies. */
import { CLIENT_KINDS } from './client-snippets.ts';

export function connectHints(url: string, home: string): string {
  return [
    `Sluice listens at ${url}`,
    `Data lies in ${home}`,
    '',
    'Connect a client; each gets a token of its own:',
    ...CLIENT_KINDS.map((kind) => `  sluice connect ${kind}`),
    '',
    'Or let a client start Sluice itself over stdio, without a token:',
    '  sluice mcp --client NAME',
    '',
    'Stop with Ctrl-C. "sluice --help" lists everything else.',
  ].join('\n');
}

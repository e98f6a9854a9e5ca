/** The real program, with a home of its own, for measuring. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Measured, startChild } from './child.ts';

export const SLUICE = fileURLToPath(new URL('../../bin/sluice', import.meta.url));

export interface MeasuredSluice extends Measured {
  readonly port: number;
  readonly token: string;
  readonly home: string;
}

export function newHome(): { readonly home: string; remove(): void } {
  const home = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
  // The limit would otherwise be what is measured.
  writeFileSync(
    join(home, 'config.json'),
    JSON.stringify({
      'limits.calls_per_second': 1_000_000,
      'limits.call_burst': 1_000_000,
      'log.level': 'warn',
    }),
  );
  return { home, remove: () => rmSync(home, { recursive: true, force: true }) };
}

export async function startSluice(home: string): Promise<MeasuredSluice> {
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const server = await startChild(SLUICE, ['serve', '--port', String(port), '--json'], { SLUICE_HOME: home });
  const name = `bench-${Date.now()}`;
  const added = execFileSync(SLUICE, ['client', 'add', name, '--json'], {
    env: { ...process.env, SLUICE_HOME: home },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return { ...server, port, home, token: JSON.parse(added.toString()).token };
}

/** A call of the modern era, as bytes on the wire. */
export function callShot(name: string, input: unknown, token: string) {
  return {
    path: '/mcp',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${token}`,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name,
        arguments: input,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  };
}

/** The official inspector's command line as a client of both eras. */
import { execFile } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addClient, asOwner } from '../../support/owner.ts';
import { peerProgram } from '../../support/peers.ts';
import { type RunningServer, startServer } from '../../support/process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const home = temporaryFolder();
let server: RunningServer;
let token: string;
beforeAll(async () => {
  server = await startServer(home);
  token = await addClient(home, 'inspector');
  await asOwner(home, 'create_page', { title: 'Hello', content: 'Hello, world' });
});
afterAll(() => server.stop());

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** In a home folder of its own, where it keeps its settings. */
function inspect(era: string, ...args: string[]): Promise<Ended> {
  const fixed = ['--cli', server.url, '--protocol-era', era, '--header', `Authorization: Bearer ${token}`];
  const command = [peerProgram('mcp-inspector'), ...fixed, '--format', 'json', ...args];
  const env = { ...process.env, HOME: home };
  return new Promise((resolve) => {
    execFile(process.execPath, command, { env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });
}

describe.each(['modern', 'legacy'])('[PROTO-16] the inspector of the %s era', (era) => {
  it('lists tools whose schemas every client can take', async () => {
    const { code, stdout, stderr } = await inspect(era, '--method', 'tools/list', '--strict');
    expect([code, stderr], stderr).toEqual([0, expect.any(String)]);
    expect(stdout).toContain('"read_page"');
  });

  it('calls a tool and reads a resource', async () => {
    const called = await inspect(
      era,
      '--method',
      'tools/call',
      '--tool-name',
      'read_page',
      '--tool-arg',
      'page=hello',
    );
    expect(called.stdout, called.stderr).toContain('Hello, world');
    const uri = 'sluice://workspace/page/hello';
    const read = await inspect(era, '--method', 'resources/read', '--uri', uri);
    expect(read.stdout, read.stderr).toContain('Hello, world');
  });
});

/**
 * A derived summary, from end to end: an agent reads pages over MCP and writes a summary of them; the author accepts
 * it; a source changes; the summary says so. Ends with code 0 when everything is as it should be.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

type Answer = Record<string, unknown>;
interface Source {
  readonly page: string;
  readonly version: string;
  readonly changed_since: boolean;
}

const sluice = fileURLToPath(new URL('../../bin/sluice', import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'sluice-example-'));

/** The author at the command line. */
const author = (...words: string[]): Answer =>
  JSON.parse(execFileSync(sluice, [...words, '--home', home, '--json'], { encoding: 'utf8' }));
const asAuthor = (tool: string, input: Answer): Answer => author('tool', 'call', tool, JSON.stringify(input));

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  assert(typeof address === 'object' && address);
  return address.port;
}

const port = await freePort();
const server = spawn(sluice, ['serve', '--port', String(port), '--home', home, '--json'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const ended = once(server, 'exit');
try {
  await Promise.race([
    once(server.stdout, 'data'),
    ended.then(() => assert.fail('The server did not start')),
  ]);

  // What the author has.
  const alpha = asAuthor('create_page', { title: 'Alpha', content: '# Alpha\n\nThe launch is on Friday.\n' });
  const beta = asAuthor('create_page', { title: 'Beta', content: '# Beta\n\nThe budget is settled.\n' });
  asAuthor('create_page', { title: 'Private thoughts', content: 'Nobody asked for these.\n' });

  // The agent: an MCP client over HTTP with a token of its own.
  const { token } = author('client', 'add', 'summary-agent');
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), {
    requestInit,
  });
  const agent = new Client(
    { name: 'summary-agent', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  await agent.connect(transport);
  const call = async (name: string, input: Answer): Promise<Answer> => {
    const result = await agent.callTool({ name, arguments: input });
    assert(!result.isError, JSON.stringify(result.content));
    return result.structuredContent as Answer;
  };

  // It reads, and writes what it makes of it. It names no sources: they are what it was shown.
  for (const page of ['alpha', 'beta']) await call('read_page', { page });
  const summary = await call('create_derived_page', {
    title: 'Summary of the week',
    content: 'Launch on Friday ([[Alpha]]), budget settled ([[Beta]]).\n',
  });
  assert.equal(summary.origin, 'agent-produced');
  assert.equal(summary.lifecycle, 'candidate');

  const provenance = (): Answer & { sources: Source[] } =>
    asAuthor('get_provenance', { page: summary.id, blocks: true }) as Answer & { sources: Source[] };
  const made = provenance();
  assert.equal(made.actor, 'summary-agent');
  const expected = [alpha, beta].map(({ id, version }) => `${id} ${version} false`).sort();
  const told = (sources: readonly Source[]): string[] =>
    sources.map((source) => `${source.page} ${source.version} ${source.changed_since}`).sort();
  assert.deepEqual(told(made.sources), expected);
  const { links } = await call('get_outgoing_links', { page: summary.id });
  assert.deepEqual(
    (links as { status: string }[]).map(({ status }) => status),
    ['resolved', 'resolved'],
  );

  // The author sees it waiting and says yes. Whose it is does not change by that.
  const { proposals } = asAuthor('list_proposals', {}) as { proposals: { id: string; page: string }[] };
  const waiting = proposals.find(({ page }) => page === summary.id);
  assert(waiting);
  asAuthor('accept_proposal', { proposal: waiting.id });
  const accepted = provenance();
  assert.equal(accepted.lifecycle, 'canonical');
  assert.equal(accepted.origin, 'agent-produced');

  // A source changes. The summary says so, to the author and to whoever reads it.
  asAuthor('update_page_content', {
    page: alpha.id,
    content: '# Alpha\n\nThe launch is on Monday.\n',
    base_version: alpha.version,
  });
  const flagged = provenance().sources.filter((source) => source.changed_since);
  assert.deepEqual(
    flagged.map(({ page, version }) => [page, version]),
    [[alpha.id, alpha.version]],
  );
  const { derived_from } = (await call('read_page', { page: summary.id })) as { derived_from: Source[] };
  assert.deepEqual(
    derived_from.filter((source) => source.changed_since).map(({ page }) => page),
    [alpha.id],
  );
  await agent.close();
  process.stdout.write(
    `The summary was made from ${made.sources.length} pages; ${flagged.length} has changed since\n`,
  );
} finally {
  server.kill('SIGTERM');
  await ended;
  rmSync(home, { recursive: true, force: true });
}

/** The real server, killed in the middle of writing, again and again: what it acknowledged is there, and nothing half. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, expect, it, vi } from 'vitest';
import { expectConsistent } from '../../support/check-consistency.ts';
import { onEachStore, type StoreUnderTest } from '../../support/each-store.ts';
import { connectHttp } from '../../support/mcp-clients.ts';
import { type RunningServer, runSluice, startServer } from '../../support/process.ts';
import { randomFor, soaking, times } from '../../support/random.ts';
import { withRawDatabase } from '../../support/raw-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { WriteLoad } from '../../support/write-load.ts';

vi.setConfig({ testTimeout: soaking ? 3_600_000 : 240_000 });

const ROUNDS = times(6, 50);
const CLIENTS = 4;

onEachStore('a server killed while it writes', (under) => {
  const home = temporaryFolder();
  let server: RunningServer | undefined;
  afterAll(() => server?.kill('SIGKILL'));

  it(`[DUR-11][DUR-12] keeps all it acknowledged and nothing half, ${ROUNDS} times`, async () => {
    const random = randomFor(`kill nine on ${under.kind}`);
    const load = new WriteLoad(random);
    const token = await tokenOf(home, under);
    for (let round = 0; round < ROUNDS; round += 1) {
      server = await startServer(home, { env: under.environment() });
      await checkSearch(server, token, load);
      const clients = await Promise.all(
        Array.from({ length: CLIENTS }, (_, i) =>
          connectHttp(server?.url ?? '', token, i % 2 === 0 ? 'modern' : 'legacy'),
        ),
      );
      const gone = new AbortController();
      const writing = clients.map((client, i) => load.writeWith(client, `c${i}`, gone.signal));
      await untilAcknowledged(load, load.acknowledged.length + random.between(10, 90), random.between(0, 15));
      await server.kill('SIGKILL');
      gone.abort();
      await Promise.all(writing);
      await Promise.all(clients.map((client) => client.close().catch(() => undefined)));
      expect(load.surprises).toEqual([]);
      load.ends.splice(0);
      await checkAcknowledged(home, under, load);
      await expectConsistent(home, under.config());
    }
    server = await startServer(home, { env: under.environment() });
    await checkSearch(server, token, load);
    await server.stop();
    await expectConsistent(home, under.config());
    expect(load.acknowledged.length).toBeGreaterThan(10 * ROUNDS);
  });
});

async function tokenOf(home: string, under: StoreUnderTest): Promise<string> {
  const { code, stdout, stderr } = await runSluice(home, ['token', 'show'], { env: under.environment() });
  if (code !== 0) throw new Error(stderr);
  return stdout.trim();
}

/** A number of answers, and then some while longer, so that the blow falls anywhere. */
async function untilAcknowledged(load: WriteLoad, count: number, furtherMs: number): Promise<void> {
  while (load.acknowledged.length < count) {
    if (load.ends.length + load.surprises.length > 0)
      throw new Error(`Clients stopped early: ${load.surprises.join()}`, { cause: load.ends[0] });
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await new Promise((resolve) => setTimeout(resolve, furtherMs));
}

/** Every acknowledged write has its event and its record, exactly once, and its page is as it was left. */
async function checkAcknowledged(home: string, under: StoreUnderTest, load: WriteLoad): Promise<void> {
  await withRawDatabase(home, under.config(), async (database) => {
    const events = Map.groupBy(
      await database.all<{ run_id: string; page_id: string; after_version: string }>('select * from event'),
      (event) => event.run_id.split('/').at(-1),
    );
    const records = Map.groupBy(
      await database.all<{ run_id: string | null; status: string; tool_name: string }>('select * from audit'),
      (record) => record.run_id?.split('/').at(-1),
    );
    for (const { run, tool, page, version, changed } of load.acknowledged) {
      expect(records.get(run) ?? [], `records of ${tool} ${run}`).toMatchObject([
        { status: 'success', tool_name: tool },
      ]);
      const own = events.get(run) ?? [];
      expect(own.length > 0, `events of ${tool} ${run}`).toBe(changed);
      if (changed) expect(own.map((event) => event.page_id)).toContain(page);
      if (changed && version !== undefined)
        expect(own.map((event) => event.after_version)).toContain(version);
    }
    const rows = new Map(
      (
        await database.all<{ id: string; title: string; content: string; trash_batch: string | null }>(
          'select * from page',
        )
      ).map((row) => [row.id, row]),
    );
    for (const page of load.pages) {
      const row = rows.get(page.id);
      expect(row, `page "${page.title}"`).toBeDefined();
      if (page.uncertain || !row || uncertainAbove(page.id, rows as never, load)) continue;
      expect([row.title, row.trash_batch, row.content.includes(page.word)]).toEqual([
        page.title,
        page.batch ?? null,
        true,
      ]);
    }
  });
}

/** Whether the page may have gone to the trash or come back with one above it whose last write was not answered. */
function uncertainAbove(
  id: string,
  rows: ReadonlyMap<string, { parent_id: string | null }>,
  load: WriteLoad,
): boolean {
  const uncertain = new Set(load.pages.filter((page) => page.uncertain).map((page) => page.id));
  for (let at: string | null = id; at !== null; at = rows.get(at)?.parent_id ?? null)
    if (uncertain.has(at)) return true;
  return false;
}

/** By a word of its own every live page is found, and no trashed one. */
async function checkSearch(server: RunningServer, token: string, load: WriteLoad): Promise<void> {
  if (load.pages.length === 0) return;
  const client: Client = await connectHttp(server.url, token, 'modern');
  try {
    for (const page of load.pages.filter((one) => !one.uncertain).slice(-times(12, 60))) {
      const answer = await client.callTool({ name: 'search', arguments: { query: page.word } });
      const results = (answer.structuredContent as { results: { id: string }[] }).results.map(({ id }) => id);
      if (page.batch !== undefined) expect(results, page.title).not.toContain(page.id);
      else expect(results, page.title).toContain(page.id);
    }
    const verified = await client.callTool({ name: 'audit.verify', arguments: {} });
    expect(verified.structuredContent).toMatchObject({ ok: true, faults: [] });
  } finally {
    await client.close();
  }
}

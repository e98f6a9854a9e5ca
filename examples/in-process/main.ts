/**
 * Sluice in process: an author writes, a program reads and writes on its own account, and the record shows both.
 * Ends with code 0 when everything is as it should be.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSluice, SluiceError } from 'sluice';

const home = mkdtempSync(join(tmpdir(), 'sluice-example-'));
const author = await createSluice({ home });
try {
  const alpha = await author.call('create_page', {
    title: 'Alpha',
    content: '# Alpha\n\nThe launch is on [[Schedule|Friday]].\n',
  });
  await author.call('create_page', { title: 'Schedule', content: 'Friday: launch.\n' });

  // A program of yours is a client: it sees less than you do, and what it writes waits for you.
  const bot = author.as({ name: 'summary-bot', run: 'nightly' });
  const tools = (await bot.listTools()).map((tool) => tool.name);
  assert(tools.includes('read_page') && !tools.includes('get_mcp_token'));

  const read = await bot.call('read_page', { page: 'alpha' });
  const summary = await bot.call('create_page', {
    title: 'Summary of Alpha',
    content: 'Launch on Friday.\n',
    derived_from: [alpha.id],
  });
  assert.equal(summary.origin, 'agent-produced');
  assert.equal(summary.lifecycle, 'candidate');

  // Your own page is canonical; nobody changes it for you. What the program wants waits until you say yes or no.
  const wish = { page: 'alpha', content: 'mine now', base_version: read.version };
  const asked = await bot.call('update_page_content', wish);
  const { id: proposal, state } = asked.proposal as { id: string; state: string };
  assert.equal(state, 'pending');
  await assert.rejects(
    bot.call('accept_proposal', { proposal }),
    (error) => error instanceof SluiceError && error.code === 'unknown_tool',
  );
  await author.call('reject_proposal', { proposal, reason: 'Not like this.' });
  assert.equal((await author.call('read_page', { page: 'alpha' })).version, read.version);

  // A rename carries every link, and says so first.
  const plan = await author.call('rename_page', { page: 'schedule', title: 'Plan', dry_run: true });
  assert.equal(plan.updated_links, 1);
  await author.call('rename_page', { page: 'schedule', title: 'Plan' });
  const renamed = await author.call('read_page', { page: 'alpha' });
  assert.equal(renamed.content, '# Alpha\n\nThe launch is on [[Plan|Friday]].\n');

  // Who did what, with proof that nothing is missing.
  const { records } = await author.call('audit.list', { subject_name: 'summary-bot' });
  assert((records as { error_code?: string }[]).some((record) => record.error_code === 'unknown_tool'));
  const proof = await author.call('audit.verify');
  assert.equal(proof.ok, true);
  process.stdout.write(
    `summary-bot left ${(records as unknown[]).length} records, all ${proof.records} verify\n`,
  );
} finally {
  await author.close();
  rmSync(home, { recursive: true, force: true });
}

import { afterAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { createSluice } from './create-sluice.ts';

const DAY = 24 * 60 * 60 * 1000;
let now = Date.UTC(2026, 0, 1);
const sluice = await createSluice({ home: temporaryFolder(), clock: { now: () => now } });
afterAll(() => sluice.close());
const ann = sluice.as({ name: 'ann', role: 'editor', origin: 'authored' });
const bob = sluice.as({ name: 'bob', role: 'editor', origin: 'authored' });

async function count(title: string): Promise<number> {
  const { tree } = await sluice.call('get_page_tree', { max_tokens: 100_000 });
  return (tree as { title: string }[]).filter((page) => page.title === title).length;
}

describe('[PIPE-20] an idempotency key', () => {
  it('gives the first answer again and does nothing again', async () => {
    const input = { title: 'Once', content: 'a', idempotency_key: 'k1' };
    const first = await ann.call('create_page', input);
    now += 1_000;
    expect(await ann.call('create_page', input)).toEqual(first);
    // The order of keys is no difference.
    expect(await ann.call('create_page', { idempotency_key: 'k1', content: 'a', title: 'Once' })).toEqual(
      first,
    );
    expect(await count('Once')).toBe(1);
  });

  it('gives it also when the page has changed since', async () => {
    const first = await ann.call('create_page', { title: 'Moved on', content: 'a', idempotency_key: 'k2' });
    await ann.call('update_page_content', { page: first.id, content: 'b', base_version: first.version });
    const again = await ann.call('create_page', { title: 'Moved on', content: 'a', idempotency_key: 'k2' });
    expect(again.version).toBe(first.version);
  });

  it('with other arguments is a conflict, and changes nothing', async () => {
    await ann.call('create_page', { title: 'Mine', idempotency_key: 'k3' });
    await expect(ann.call('create_page', { title: 'Other', idempotency_key: 'k3' })).rejects.toMatchObject({
      code: 'conflict',
      details: { field: 'idempotency_key', reason: 'idempotency' },
    });
    expect(await count('Other')).toBe(0);
  });

  it('is each principal’s own', async () => {
    const input = { title: 'Shared key', idempotency_key: 'k4' };
    const [hers, his] = [await ann.call('create_page', input), await bob.call('create_page', input)];
    expect(his.id).not.toBe(hers.id);
    expect(await count('Shared key')).toBe(2);
  });

  it('is each tool’s own', async () => {
    const { id } = await ann.call('create_page', { title: 'Two tools', idempotency_key: 'k5' });
    const renamed = await ann.call('rename_page', { page: id, title: 'Three tools', idempotency_key: 'k5' });
    expect(renamed.changed).toBe(true);
  });

  it('does not answer in one workspace with what was done in another', async () => {
    const made = await sluice.call('workspace.create', { name: 'second' });
    const second = (made.workspace as { id: string }).id;
    await sluice.call('workspace.open', { workspace: second });
    const { workspaces } = await sluice.call('workspace.list');
    const [first] = workspaces as { id: string }[];
    const input = { title: 'Here or there', idempotency_key: 'k6' };
    const here = sluice.as({ name: 'ann', role: 'editor', origin: 'authored', workspace: first?.id ?? '' });
    const there = sluice.as({ name: 'ann', role: 'editor', origin: 'authored', workspace: second });
    await here.call('create_page', input);
    await expect(there.call('create_page', input)).rejects.toMatchObject({
      code: 'conflict',
      details: { reason: 'idempotency' },
    });
    await sluice.call('workspace.close', { workspace: second });
  });

  it('keeps no failure: the retry does it', async () => {
    const input = { title: 'Child', parent: 'not-yet', idempotency_key: 'k7' };
    await expect(ann.call('create_page', input)).rejects.toMatchObject({ code: 'not_found' });
    await ann.call('create_page', { title: 'Not yet' });
    expect((await ann.call('create_page', input)).path).toBe('not-yet/child');
  });

  it('is kept for a day, and used anew after it', async () => {
    const input = { title: 'Daily', idempotency_key: 'k8' };
    const first = await ann.call('create_page', input);
    now += DAY;
    expect((await ann.call('create_page', input)).id).toBe(first.id);
    now += 1;
    const second = await ann.call('create_page', input);
    expect(second.id).not.toBe(first.id);
    now += DAY;
    expect((await ann.call('create_page', input)).id).toBe(second.id);
    expect(await count('Daily')).toBe(2);
  });

  it('does not get round a right that was lost meanwhile', async () => {
    const input = { title: 'Rights', idempotency_key: 'k9' };
    await ann.call('create_page', input);
    await sluice.call('set_tool_enabled', { tool: 'create_page', enabled: false });
    await expect(ann.call('create_page', input)).rejects.toMatchObject({ code: 'unknown_tool' });
    await sluice.call('set_tool_enabled', { tool: 'create_page', enabled: true });
  });

  it('leaves a record of each call, with what was answered', async () => {
    const input = { title: 'Recorded', idempotency_key: 'k10' };
    await ann.call('create_page', input);
    await ann.call('create_page', input);
    const { records } = await sluice.call('audit.list', { tool_name: 'create_page', limit: 2 });
    const [again, first] = records as { status: string; input_digest: string; output_digest: string }[];
    expect(again).toMatchObject({ status: 'success', output_digest: first?.output_digest });
    expect(again?.output_digest).toMatch(/^sha256:/);
    expect(again?.input_digest).toBe(first?.input_digest);
  });

  it.each(['', 'x'.repeat(201)])('of a wrong length is refused', async (idempotency_key) => {
    await expect(ann.call('create_page', { title: 'No', idempotency_key })).rejects.toMatchObject({
      code: 'invalid_input',
      details: { field: 'idempotency_key' },
    });
  });
});

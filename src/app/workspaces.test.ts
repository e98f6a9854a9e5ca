import { afterAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { createSluice } from './create-sluice.ts';

const sluice = await createSluice({ home: temporaryFolder(), clock: { now: () => 1_000 } });
afterAll(() => sluice.close());

const states = async (): Promise<Record<string, string>> => {
  const { workspaces } = await sluice.call('workspace.list');
  const all = workspaces as { name: string; open: boolean; current: boolean }[];
  return Object.fromEntries(
    all.map(({ name, open, current }) => [name, current ? 'current' : open ? 'open' : 'closed']),
  );
};

describe('[PAGE-23] workspaces', () => {
  it('begin with one that is open', async () => {
    expect(await states()).toEqual({ default: 'current' });
  });

  it('are made closed, and the one opened last is the current one, whatever the clock says', async () => {
    await sluice.call('workspace.create', { name: 'Second' });
    await sluice.call('workspace.create', { name: 'Third' });
    expect(await states()).toEqual({ default: 'current', Second: 'closed', Third: 'closed' });
    await sluice.call('workspace.open', { workspace: 'third' });
    await sluice.call('workspace.open', { workspace: 'SECOND' });
    expect(await states()).toEqual({ default: 'open', Second: 'current', Third: 'open' });
    await sluice.call('workspace.close', { workspace: 'second' });
    expect(await states()).toEqual({ default: 'open', Second: 'closed', Third: 'current' });
  });

  it('keep what is in them apart, and keep it while they are closed', async () => {
    await sluice.call('workspace.open', { workspace: 'second' });
    const { id } = await sluice.call('create_page', { title: 'Only here', content: '[[Elsewhere]]' });
    await sluice.call('workspace.open', { workspace: 'third' });
    await expect(sluice.call('read_page', { page: id })).rejects.toMatchObject({ code: 'not_found' });
    await expect(sluice.call('read_page', { page: 'only-here' })).rejects.toMatchObject({
      code: 'not_found',
    });
    await sluice.call('create_page', { title: 'Elsewhere' });
    await sluice.call('workspace.close', { workspace: 'second' });
    await sluice.call('workspace.open', { workspace: 'second' });
    const { links } = await sluice.call('get_outgoing_links', { page: id });
    expect(links).toMatchObject([{ status: 'unresolved' }]);
  });

  it('of none open leave tools without a place', async () => {
    for (const workspace of ['default', 'second', 'third'])
      await sluice.call('workspace.close', { workspace });
    await expect(sluice.call('read_page', { page: 'x' })).rejects.toMatchObject({ code: 'no_workspace' });
    expect((await sluice.call('get_mcp_status')).workspace).toBeNull();
    await sluice.call('workspace.open', { workspace: 'default' });
  });

  it.each(['', ' x', 'a/b', 'x'.repeat(65), '.hidden', 'a\nb'])('are not called "%s"', async (name) => {
    await expect(sluice.call('workspace.create', { name })).rejects.toMatchObject({
      code: 'invalid_input',
      details: { field: 'name' },
    });
  });

  it('have a name that no other has, in any case', async () => {
    await expect(sluice.call('workspace.create', { name: 'SECOND' })).rejects.toMatchObject({
      code: 'conflict',
    });
    await expect(sluice.call('workspace.open', { workspace: 'nobody' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

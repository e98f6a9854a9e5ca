/** A read-only workspace: every tool in the catalogue that writes into it is refused, for everybody. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Tool } from '../../src/catalogue/tool-definition.ts';
import { onEachStore } from '../support/each-store.ts';
import { openRawDatabase } from '../support/raw-database.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type Answer, openWholeApp, owner, type WholeApp } from '../support/whole-app.ts';

/** Kinds of writes that change nothing in a workspace; those of a new kind are refused until it is named here. */
const ABOVE_A_WORKSPACE = ['setting', 'credential', 'policy', 'workspace', 'audit', 'provider', 'approval'];

/** Effects outside of any workspace. */
const NOT_IN_A_WORKSPACE = [
  'home.backup',
  'provider.discover',
  'credential.begin_connect',
  'credential.finish_connect',
  'provider.enable',
  'tools_call',
];

onEachStore('a read-only workspace', (under) => {
  const home = temporaryFolder();
  let whole: WholeApp | undefined;
  let page = '';
  let change = 0;
  beforeAll(async () => {
    if (!under.available()) return;
    whole = await openWholeApp(home, under.config());
    page = String((await whole.call(owner, 'create_page', { title: 'Page', content: 'text\n' })).id);
    change = Number((await whole.call(owner, 'rename_page', { page, title: 'Named' })).change);
  });
  afterAll(() => whole?.app.close());

  const writers = ({ app }: WholeApp): readonly Tool[] =>
    app.catalogue.tools.filter(
      ({ name, mode, write }) =>
        mode !== 'read' &&
        !NOT_IN_A_WORKSPACE.includes(name) &&
        !ABOVE_A_WORKSPACE.includes(write?.kind ?? 'none'),
    );

  const contents = async (): Promise<string> => {
    const raw = await openRawDatabase(home, under.config());
    try {
      const names = ['page', 'page_document', 'page_update', 'page_link', 'page_tag', 'attachment', 'event'];
      const all = [];
      for (const name of [...names, 'permission_grant', 'trash_batch'])
        all.push(await raw.all(`select * from ${name}`));
      return JSON.stringify(all);
    } finally {
      await raw.close();
    }
  };

  it('[PERM-16] refuses every writer in the catalogue, the owner as well, until it is switched back', async () => {
    const { ask, call } = whole as WholeApp;
    expect(await call(owner, 'workspace.set_read_only', { read_only: true })).toMatchObject({
      changed: true,
    });
    const before = await contents();
    // For what is derived from what its run has read.
    await call(owner, 'read_page', { page });
    const wrong: unknown[] = [];
    const tools = writers(whole as WholeApp);
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['create_page', 'upload_blobs', 'grant_permission']),
    );
    for (const { name, example } of tools) {
      const outcome = await ask(owner, {
        kind: 'tool',
        name,
        arguments: { ...example, ...realIds(example) },
      });
      const refused = outcome.ok ? [] : [outcome.error.code, outcome.error.details.reason];
      if (refused.join() !== 'denied,read_only') wrong.push([name, outcome]);
    }
    expect(wrong).toEqual([]);
    expect(await contents()).toBe(before);
    expect((await call(owner, 'read_page', { page })).content).toBe('text\n');
    await call(owner, 'workspace.set_read_only', { read_only: false });
    expect(await call(owner, 'update_page_metadata', { page, icon: 'x' })).toMatchObject({ changed: true });
  });

  it('[PERM-16] stays read-only over a restart', async () => {
    await (whole as WholeApp).call(owner, 'workspace.set_read_only', { read_only: true });
    await whole?.app.close();
    whole = await openWholeApp(home, under.config());
    await expect(whole.call(owner, 'delete_page', { page })).rejects.toMatchObject({
      code: 'denied',
      details: { reason: 'read_only' },
    });
  });

  it('[PERM-37] is said to be so, and the refusal says how it ends', async () => {
    const { call } = whole as WholeApp;
    for (const read_only of [true, false]) {
      await call(owner, 'workspace.set_read_only', { read_only });
      expect(await call(owner, 'get_mcp_status')).toMatchObject({ read_only });
      expect((await call(owner, 'workspace.list')).workspaces).toMatchObject([{ current: true, read_only }]);
      if (read_only)
        await expect(call(owner, 'delete_page', { page })).rejects.toThrow(
          '"sluice workspace read-only off"',
        );
    }
  });

  /** So that nothing else is wrong with the call. */
  const realIds = (example: Readonly<Answer>): Answer => ({
    ...('page' in example && { page }),
    ...('parent' in example && { parent: null }),
    ...('change' in example && { change }),
  });
});

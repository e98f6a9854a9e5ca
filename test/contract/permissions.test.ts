/** Who may see and do what, through the whole pipeline and on both stores. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSluice, type Sluice, type SluiceClient } from '../../src/app/create-sluice.ts';
import { SluiceError } from '../../src/kernel/errors.ts';
import { expectConsistent } from '../support/check-consistency.ts';
import { onEachStore } from '../support/each-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

type Answer = Record<string, unknown>;
interface Node {
  readonly title: string;
  readonly path: string;
  readonly child_count: number;
  readonly children: readonly Node[];
}

onEachStore('permissions', (under) => {
  const home = temporaryFolder();
  let sluice: Sluice | undefined;
  let number = 0;
  beforeAll(async () => {
    if (!under.available()) return;
    sluice = await createSluice({ home, config: under.config() });
    const rule = { subject_type: 'role', subject: 'editor', pattern: '**', effect: 'allow', reason: 'test' };
    await sluice.call('policy.rule.add', rule);
  });
  afterAll(async () => {
    if (!sluice) return;
    await sluice.close();
    await expectConsistent(home, under.config());
  });

  const owner = (): SluiceClient => sluice as Sluice;
  /** Trusted to write, so that nothing but a grant stands in its way. */
  const editor = (name = 'ed'): SluiceClient =>
    (sluice as Sluice).as({ name, role: 'editor', kind: 'client', origin: 'authored' });
  const grant = (page: string | null, who: string, level: string): Promise<Answer> => {
    const [subject_type, subject] = who.split(':');
    return owner().call('grant_permission', { page, subject_type, subject, level });
  };
  const revoke = (page: string | null, who: string): Promise<Answer> => {
    const [subject_type, subject] = who.split(':');
    return owner().call('revoke_permission', { page, subject_type, subject });
  };
  const add = async (
    title: string,
    parent: string | null = null,
    content = `# ${title}\n`,
  ): Promise<string> => String((await owner().call('create_page', { title, parent, content })).id);
  /** A tree of its own for each test: names are unique, so that tests do not meet. */
  const name = (word: string): string => `${word} ${number}`;
  const fresh = (): void => {
    number += 1;
  };
  const refusal = async (call: Promise<unknown>): Promise<SluiceError> => {
    const error = await call.then(
      (answer) => answer,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(SluiceError);
    return error as SluiceError;
  };
  const treeOf = async (client: SluiceClient, root?: string): Promise<readonly Node[]> =>
    (await client.call('get_page_tree', { ...(root !== undefined && { root }), max_tokens: 20_000 }))
      .tree as Node[];

  it('[PERM-05][PERM-04] hides a page with all below it everywhere, and from nobody else', async () => {
    fresh();
    const top = await add(name('Top'));
    const secret = await add(name('Secret'), top, `# ${name('Secret')}\n\nwombat ${number}\n`);
    const below = await add(name('Below'), secret, `wombat [[${name('Top')}]]\n`);
    const open = await add(name('Open'), top, `[[${name('Secret')}]] and [[${name('Top')}]]\n`);
    await grant(secret, 'client:blind', 'hidden');
    const blind = editor('blind');
    expect((await treeOf(editor(), top)).map((node) => node.title)).toEqual([name('Secret'), name('Open')]);
    const [node] = (await treeOf(blind)).filter(({ title }) => title === name('Top'));
    expect(node).toMatchObject({ child_count: 1, children: [{ title: name('Open') }] });
    for (const reference of [
      secret,
      below,
      name('Secret'),
      `top-${number}/secret-${number}/below-${number}`,
    ]) {
      const error = await refusal(blind.call('read_page', { page: reference }));
      expect([error.code, error.message]).toEqual(['not_found', `There is no page "${reference}"`]);
    }
    const found = (await blind.call('search', { query: `wombat ${number}` })).results as Answer[];
    expect(found.map((hit) => hit.title)).not.toContain(name('Secret'));
    expect(found.map((hit) => hit.title)).not.toContain(name('Below'));
    expect(await blind.call('get_backlinks', { page: top })).toMatchObject({
      total: 1,
      links: [{ page: { id: open } }],
    });
    expect((await blind.call('read_page', { page: top })).links_in).toBe(1);
    expect(await blind.call('get_outgoing_links', { page: open })).toMatchObject({
      links: [{ status: 'unresolved' }, { status: 'resolved', target: { id: top } }],
    });
    const all = Number((await editor().call('get_workspace')).pages);
    expect((await blind.call('get_workspace')).pages).toBe(all - 2);
  });

  it('[PERM-01][PERM-02] lets the nearest grant count, and that for the client before that for its role', async () => {
    fresh();
    const far = await add(name('Far'));
    const near = await add(name('Near'), far);
    const leaf = await add(name('Leaf'), near);
    await grant(far, 'client:scoped', 'hidden');
    await grant(near, 'role:editor', 'read');
    const scoped = editor('scoped');
    expect((await scoped.call('read_page', { page: leaf })).title).toBe(name('Leaf'));
    expect((await refusal(scoped.call('read_page', { page: far }))).code).toBe('not_found');
    await grant(near, 'client:scoped', 'hidden');
    expect((await refusal(scoped.call('read_page', { page: leaf }))).code).toBe('not_found');
    expect((await editor('other').call('read_page', { page: leaf })).title).toBe(name('Leaf'));
    await revoke(near, 'client:scoped');
    expect((await scoped.call('read_page', { page: leaf })).title).toBe(name('Leaf'));
    await revoke(near, 'role:editor');
    expect((await refusal(scoped.call('read_page', { page: leaf }))).code).toBe('not_found');
  });

  it('[PERM-03] keeps nothing from the owner, about whom nothing can be granted', async () => {
    fresh();
    const page = await add(name('Mine'));
    await grant(page, 'role:editor', 'hidden');
    expect((await owner().call('read_page', { page })).title).toBe(name('Mine'));
    const error = await refusal(grant(page, 'role:owner', 'hidden'));
    expect([error.code, error.details.field]).toEqual(['invalid_input', 'subject']);
    expect((await refusal(editor().call('list_permissions'))).code).toBe('unknown_tool');
    await revoke(page, 'role:editor');
  });

  it('[PERM-36] refuses a grant that binds nobody, and says whom one for a role does not bind', async () => {
    fresh();
    const page = await add(name('Unbound'));
    const [person, chief, program] = [`person-${number}`, `chief-${number}`, `bot-${number}`];
    await owner().call('client.add', { name: person, role: 'editor', origin: 'authored' });
    await owner().call('client.add', { name: chief, role: 'owner' });
    await owner().call('client.add', { name: program, role: 'editor' });
    for (const who of [`client:${person}`, `client:${chief}`, 'client:owner', 'role:owner'])
      for (const level of ['hidden', 'read', 'propose']) {
        const error = await refusal(grant(page, who, level));
        expect([error.code, error.details.field]).toEqual(['invalid_input', 'subject']);
      }
    const told = await refusal(grant(page, `client:${person}`, 'hidden'));
    expect(told.message).toMatch(/an author, whom no grant binds; .*"authored".*access rule/);
    expect(await grant(page, `client:${program}`, 'hidden')).toMatchObject({ warnings: [] });
    const { warnings } = await grant(page, 'role:editor', 'hidden');
    expect(warnings).toEqual([expect.stringMatching(new RegExp(`^It does not bind .*${person}`))]);
    expect(JSON.stringify(warnings)).not.toContain(program);
    // Who is an author no more is bound like anybody.
    await owner().call('client.revoke', { name: person });
    expect(await grant(page, `client:${person}`, 'hidden')).toMatchObject({ level: 'hidden' });
    expect(await grant(page, 'role:editor', 'read')).toMatchObject({ warnings: [] });
    for (const who of ['role:editor', `client:${person}`, `client:${program}`]) await revoke(page, who);
  });

  it('[PERM-06] refuses to change, move, trash or add where a caller may only read', async () => {
    fresh();
    const page = await add(name('Fixed'), null, 'as it is\n');
    const child = await add(name('Child'), page);
    const free = await add(name('Free'));
    await grant(page, 'client:looks', 'read');
    const looks = editor('looks');
    expect((await looks.call('read_page', { page })).content).toBe('as it is\n');
    const refused: [string, Answer, string][] = [
      ['update_page_content', { page, content: 'as it is\nmore\n' }, 'page'],
      ['update_page_metadata', { page, title: 'Other' }, 'page'],
      ['rename_page', { page: child, title: 'Other' }, 'page'],
      ['delete_page', { page: child }, 'page'],
      ['move_page', { page: child, parent: null }, 'page'],
      ['move_page', { page: free, parent: page }, 'parent'],
      ['create_page', { title: 'New', parent: page }, 'parent'],
      ['import_pages', { files: [{ path: 'a.md', text: 'a' }], into: page }, 'into'],
    ];
    for (const [tool, input, field] of refused) {
      const error = await refusal(looks.call(tool, input));
      expect([tool, error.code, error.details.field]).toEqual([tool, 'denied', field]);
    }
    expect((await owner().call('read_page', { page })).content).toBe('as it is\n');
    expect((await looks.call('update_page_metadata', { page: free, icon: 'x' })).icon).toBe('x');
  });

  it('[PERM-07] makes candidates and asks for review where a caller may only propose', async () => {
    fresh();
    const page = await add(name('Canon'), null, 'canon\n');
    await grant(page, 'client:suggests', 'propose');
    const suggests = editor('suggests');
    const made = await suggests.call('create_page', { title: name('Idea'), parent: page });
    expect([made.lifecycle, made.origin]).toEqual(['candidate', 'authored']);
    await suggests.call('update_page_content', { page: made.id, content: 'more\n' });
    const elsewhere = await suggests.call('create_page', { title: name('Elsewhere') });
    expect(elsewhere.lifecycle).toBe('canonical');
    const content = 'canon\nmore\n';
    const asked = await suggests.call('update_page_content', { page, content });
    expect(asked).toMatchObject({ proposal: { state: 'pending', page } });
    expect((await owner().call('read_page', { page })).content).toBe('canon\n');
    const moved = await suggests.call('move_page', { page: elsewhere.id, parent: page });
    expect(moved).toMatchObject({ proposal: { state: 'pending', page: elsewhere.id } });
    await owner().call('accept_proposal', { proposal: (asked.proposal as Answer).id });
    expect((await owner().call('read_page', { page })).content).toBe(content);
    await grant(page, 'client:suggests', 'read');
    const late = await refusal(suggests.call('update_page_content', { page, content: `${content}again\n` }));
    expect([late.code, late.details.field]).toEqual(['denied', 'page']);
  });

  it('[PERM-08] takes pages into a drop box and shows none of them', async () => {
    fresh();
    const box = await add(name('Box'));
    await owner().call('create_page', { title: 'Note', parent: box });
    await grant(box, 'client:drops', 'drop');
    const drops = editor('drops');
    const made = await drops.call('create_page', {
      title: 'Note',
      parent: `box-${number}`,
      content: 'psst\n',
    });
    expect(made.slug).toMatch(/^note-[0-9a-f]{12}$/);
    expect(made.path).not.toContain('box');
    const again = await drops.call('create_page', { title: 'Note', parent: box });
    for (const page of [box, String(made.id), String(again.id), name('Box')])
      expect((await refusal(drops.call('read_page', { page }))).code).toBe('not_found');
    const inside = await refusal(drops.call('create_page', { title: 'Deeper', parent: made.id }));
    expect(inside.code).toBe('not_found');
    const [node] = (await treeOf(owner())).filter(({ title }) => title === name('Box'));
    expect(node?.child_count).toBe(3);
  });

  it('[PERM-09] puts a page at the root whose parents are hidden, and keeps it there', async () => {
    fresh();
    const outer = await add(name('Outer'));
    const inner = await add(name('Inner'), outer);
    const leaf = await add(name('Deep'), inner);
    await grant(outer, 'client:lifts', 'hidden');
    await grant(inner, 'client:lifts', 'write');
    const lifts = editor('lifts');
    const [node] = (await treeOf(lifts)).filter(({ title }) => title === name('Inner'));
    expect(node).toMatchObject({
      path: `inner-${number}`,
      children: [{ path: `inner-${number}/deep-${number}` }],
    });
    const read = await lifts.call('read_page', { page: `inner-${number}/deep-${number}` });
    expect([read.id, read.path]).toEqual([leaf, `inner-${number}/deep-${number}`]);
    expect((await lifts.call('read_page', { page: inner })).parent).toBeNull();
    const renamed = await lifts.call('rename_page', { page: inner, title: name('Innermost') });
    expect(renamed.path).toBe(`innermost-${number}`);
    expect((await owner().call('read_page', { page: inner })).path).toBe(
      `outer-${number}/innermost-${number}`,
    );
  });

  it('[PERM-10] moves a page only between places where the caller may write', async () => {
    fresh();
    const [here, there] = [await add(name('Here')), await add(name('There'))];
    const page = await add(name('Goes'), here);
    await grant(here, 'client:moves', 'read');
    await grant(page, 'client:moves', 'write');
    const moves = editor('moves');
    const away = await refusal(moves.call('move_page', { page, parent: there }));
    expect([away.code, away.details.field]).toEqual(['denied', 'page']);
    await grant(here, 'client:moves', 'write');
    await grant(there, 'client:moves', 'read');
    const into = await refusal(moves.call('move_page', { page, parent: there }));
    expect([into.code, into.details.field]).toEqual(['denied', 'parent']);
    await grant(there, 'client:moves', 'write');
    expect((await moves.call('move_page', { page, parent: there })).path).toBe(
      `there-${number}/goes-${number}`,
    );
  });

  it('[PERM-01] moves pages into and out of zones with the pages they lie below', async () => {
    fresh();
    const [hidden, open] = [await add(name('Hidden')), await add(name('Open'))];
    const page = await add(name('Wanders'), open);
    const child = await add(name('Tags along'), page);
    await grant(hidden, 'client:follows', 'hidden');
    const follows = editor('follows');
    await follows.call('read_page', { page: child });
    await owner().call('move_page', { page, parent: hidden });
    expect((await refusal(follows.call('read_page', { page: child }))).code).toBe('not_found');
    await owner().call('move_page', { page: hidden, parent: open });
    expect((await refusal(follows.call('read_page', { page: child }))).code).toBe('not_found');
    await owner().call('move_page', { page, parent: null });
    expect((await follows.call('read_page', { page: child })).title).toBe(name('Tags along'));
    await owner().call('move_page', { page, parent: hidden });
    await owner().call('delete_page', { page: hidden });
    await owner().call('restore_page', { page: hidden });
    expect((await refusal(follows.call('read_page', { page: child }))).code).toBe('not_found');
    await revoke(hidden, 'client:follows');
    expect((await follows.call('read_page', { page: child })).title).toBe(name('Tags along'));
  });

  it('[PERM-13] lets a name be taken twice where one does not see the other, and asks who sees both', async () => {
    fresh();
    const secret = await add(name('Plan'));
    await grant(secret, 'client:squats', 'hidden');
    const squats = editor('squats');
    const made = await squats.call('create_page', { title: name('Plan') });
    expect([made.slug, made.path]).toEqual([`plan-${number}`, `plan-${number}`]);
    expect((await squats.call('read_page', { page: `plan-${number}` })).id).toBe(made.id);
    const asked = await refusal(owner().call('read_page', { page: `plan-${number}` }));
    expect([asked.code, (asked.details.candidates as Answer[]).map(({ id }) => id).sort()]).toEqual([
      'ambiguous',
      [secret, String(made.id)].sort(),
    ]);
    const taken = await refusal(revoke(secret, 'client:squats'));
    expect([taken.code, taken.details.reason]).toEqual(['conflict', 'name_taken']);
    await owner().call('rename_page', { page: made.id, title: name('Other plan') });
    await revoke(secret, 'client:squats');
    const batch = { files: [{ path: `vault${number}/a.md`, text: 'first\n' }] };
    await owner().call('import_pages', batch);
    await grant(`vault${number}`, 'client:squats', 'hidden');
    const imported = await squats.call('import_pages', {
      files: [{ path: `vault${number}/a.md`, text: 'mine\n' }],
    });
    expect(imported.files).toMatchObject([{ outcome: 'created' }]);
  });

  it('[PERM-14] rewrites links on hidden pages as well and counts only what the caller sees', async () => {
    fresh();
    const target = await add(name('Target'));
    const secret = await add(name('Quiet'), null, `[[${name('Target')}]]\n`);
    const open = await add(name('Loud'), null, `[[${name('Target')}]]\n`);
    await grant(secret, 'client:renames', 'hidden');
    const renames = editor('renames');
    const preview = await renames.call('rename_page', { page: target, title: name('Aim'), dry_run: true });
    expect([preview.updated_pages, preview.updated_links]).toEqual([1, 1]);
    const done = await renames.call('rename_page', { page: target, title: name('Aim') });
    expect([done.updated_pages, done.updated_links]).toEqual([1, 1]);
    for (const page of [secret, open])
      expect((await owner().call('read_page', { page })).content).toBe(`[[${name('Aim')}]]\n`);
    const undone = await renames.call('undo_change', { change: done.change });
    expect(undone.updated_pages).toBe(1);
    expect((await owner().call('read_page', { page: secret })).content).toBe(`[[${name('Target')}]]\n`);
  });

  it('[PERM-14] takes hidden pages into the trash and back with what they lie below, unseen', async () => {
    fresh();
    const top = await add(name('Bin'));
    const secret = await add(name('Kept'), top);
    await grant(secret, 'client:bins', 'hidden');
    const bins = editor('bins');
    const trashed = await bins.call('delete_page', { page: top });
    expect((trashed.pages as Answer[] | undefined)?.length ?? trashed.count).toBe(1);
    expect((await refusal(owner().call('read_page', { page: secret }))).code).toBe('not_found');
    const restored = (await bins.call('restore_page', { batch: trashed.batch })).restored as Answer[];
    expect(restored).toHaveLength(1);
    expect((await owner().call('read_page', { page: secret })).path).toBe(`bin-${number}/kept-${number}`);
  });

  it('[PERM-15] ranks by nothing that is hidden', async () => {
    fresh();
    const secret = await add(name('Vault'));
    const word = `zyzzyva${number}`;
    const visible = await add(name('Shown'), null, `${word} here\n`);
    await grant(secret, 'client:ranks', 'hidden');
    const ranks = editor('ranks');
    const scores = async (): Promise<unknown> =>
      ((await ranks.call('search', { query: `${word} here` })).results as Answer[]).map(
        ({ id, score, page }) => [id ?? page, score],
      );
    const before = await scores();
    expect(JSON.stringify(before)).toContain(visible);
    for (const i of [1, 2, 3]) await add(name(`Hoard ${i}`), secret, `${word} ${'here '.repeat(50 * i)}\n`);
    expect(await scores()).toEqual(before);
  });

  it('[PERM-11] keeps grants over a restart, in the log of the workspace and in the audit log', async () => {
    fresh();
    const page = await add(name('Lasting'));
    await grant(page, 'client:later', 'hidden');
    const before = await owner().call('list_permissions', { page });
    await (sluice as Sluice).close();
    sluice = await createSluice({ home, config: under.config() });
    expect(await owner().call('list_permissions', { page })).toEqual(before);
    expect(before.grants).toMatchObject([{ path: `lasting-${number}`, subject: 'later', level: 'hidden' }]);
    expect((await refusal(editor('later').call('read_page', { page }))).code).toBe('not_found');
    const history = (await owner().call('get_page_history', { page })).events as Answer[];
    expect(history[0]).toMatchObject({
      kind: 'permission_granted',
      details: { subject: 'later', level: 'hidden' },
    });
    const records = (await owner().call('audit.list', { tool: 'grant_permission' })).records as Answer[];
    expect(records[0]).toMatchObject({ status: 'success' });
    await revoke(page, 'client:later');
    expect((await editor('later').call('read_page', { page })).title).toBe(name('Lasting'));
  });

  describe('of the whole workspace', () => {
    it('[PERM-01][PERM-08] can leave nothing but one page open', async () => {
      fresh();
      const shared = await add(name('Shared'));
      await grant(null, 'client:outsider', 'hidden');
      await grant(shared, 'client:outsider', 'read');
      const outsider = editor('outsider');
      expect((await treeOf(outsider)).map(({ title }) => title)).toEqual([name('Shared')]);
      expect((await outsider.call('get_workspace')).pages).toBe(1);
      const error = await refusal(outsider.call('create_page', { title: 'New' }));
      expect([error.code, error.details.field]).toEqual(['denied', 'parent']);
      await grant(null, 'client:outsider', 'drop');
      const made = await outsider.call('create_page', { title: 'Letter' });
      expect((await refusal(outsider.call('read_page', { page: made.id }))).code).toBe('not_found');
    });
  });
});

import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { bindFixtures } from '../../test/support/fixture-family.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { bindFamily, defineFamily } from '../catalogue/family.ts';
import { defineTool } from '../catalogue/tool-definition.ts';
import type { EntityVersion } from '../kernel/submission.ts';
import { requireTicket } from '../kernel/ticket.ts';
import { createSluice, type SluiceClient } from './create-sluice.ts';

/** Says what the boundary made of a write whose sources are named and read. */
const deriveBoth = defineTool({
  name: 'derive.both',
  title: 'Derive',
  summary: 'Answers the submission.',
  scopes: [],
  effect: 'local_side_effect',
  write: { kind: 'page', contentArgument: 'text', derivation: 'both', derivationArgument: 'from' },
  example: { text: 'x' },
  input: z.object({ text: z.string(), from: z.array(z.string()).optional() }),
  output: z.looseObject({}),
  async handler(_use: undefined, _input, call) {
    const { submission } = requireTicket(call.ticket, 'page', 'land');
    return { ...submission, caller: undefined, role: submission.caller.role };
  },
});

const sluice = await createSluice({
  home: temporaryFolder(),
  families: [bindFixtures(), bindFamily(defineFamily('workspace', { tools: [deriveBoth] }), undefined)],
});
afterAll(() => sluice.close());

let runs = 0;
/** A program in a run of its own. */
const program = (name = 'ann'): SluiceClient => {
  runs += 1;
  return sluice.as({ name, run: `run-${runs}` });
};

interface Made {
  readonly id: string;
  readonly version: string;
}

const create = async (title: string, content = title, as: SluiceClient = sluice): Promise<Made> =>
  (await as.call('create_page', { title, content })) as unknown as Made;

const sourcesOf = async (page: string): Promise<unknown> => {
  const { derived_from } = await sluice.call('read_page', { page });
  return (derived_from as { page: string; version: string }[]).map(({ page: id, version }) => ({
    page: id,
    version,
  }));
};

describe('[PIPE-21] the read trail', () => {
  it('holds what a run has read, each page once, at the version it was read in', async () => {
    const [a, b] = [await create('Trail A'), await create('Trail B')];
    const reader = program();
    await reader.call('read_page', { page: a.id });
    await reader.call('read_page', { page: b.id });
    await reader.call('read_page', { page: a.id });
    const { sources } = await reader.call('fixture.derive');
    expect((sources as EntityVersion[]).map(({ id, version }) => [id, version]).sort()).toEqual(
      [
        [a.id, a.version],
        [b.id, b.version],
      ].sort(),
    );
  });

  it('holds the newest version that was read, not one that nobody read', async () => {
    const page = await create('Trail C', 'one');
    const reader = program();
    await reader.call('read_page', { page: page.id });
    const changed = await sluice.call('update_page_content', {
      page: page.id,
      content: 'two',
      base_version: page.version,
    });
    const derived = async () => (await reader.call('fixture.derive')).sources as EntityVersion[];
    expect((await derived())[0]?.version).toBe(page.version);
    await reader.call('read_page', { page: page.id });
    expect((await derived())[0]?.version).toBe(changed.version);
  });

  it('is of one run, and of nobody else’s', async () => {
    const page = await create('Trail D');
    const reader = sluice.as({ name: 'ann', run: 'same-name' });
    await reader.call('read_page', { page: page.id });
    for (const other of [
      sluice.as({ name: 'ann', run: 'other' }),
      sluice.as({ name: 'bob', run: 'same-name' }),
    ]) {
      await expect(other.call('fixture.derive')).rejects.toMatchObject({
        code: 'invalid_input',
        message: expect.stringContaining('this run has read nothing yet'),
      });
    }
  });

  it('holds resources and prompts that showed a page, and not what only named one', async () => {
    const page = await create('Trail E', 'unheard-of word');
    const ids = async (reader: SluiceClient) =>
      ((await reader.call('fixture.derive')).sources as EntityVersion[]).map(({ id }) => id);
    const byResource = program();
    await byResource.readResource('sluice://workspace/page/trail-e');
    expect(await ids(byResource)).toEqual([page.id]);
    const byPrompt = program();
    await byPrompt.getPrompt('summarize_page', { page: page.id });
    expect(await ids(byPrompt)).toEqual([page.id]);
    const listing = program();
    await listing.call('search', { query: 'unheard-of' });
    await listing.call('get_page_tree');
    await listing.call('get_backlinks', { page: page.id });
    await expect(listing.call('fixture.derive')).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('holds the blocks of a page and what was remembered, of which only what is named becomes a source', async () => {
    const page = await create('Trail F', 'one block');
    const fact = await sluice.call('memory_write', {
      tier: 'semantic',
      subject: 'trail f',
      body: 'Is long.',
    });
    const derive = (by: SluiceClient, derived_from?: string[]) =>
      by.call('create_derived_page', { title: 'Of a trail', content: 'x', derived_from });
    for (const [tool, input] of [
      ['memory_read', { id: fact.id }],
      ['memory_search', { query: 'trail f' }],
      ['memory_context', { query: 'trail f' }],
    ] as const) {
      const reader = program();
      const refused = {
        code: 'invalid_input',
        details: { field: 'derived_from', source: `memory:${fact.id}` },
      };
      await expect(derive(reader, [`memory:${fact.id}`])).rejects.toMatchObject(refused);
      await reader.call(tool, input);
      await expect(derive(reader)).rejects.toMatchObject({ code: 'invalid_input' });
      expect(await derive(reader, [`memory:${fact.id}`])).toMatchObject({ title: 'Of a trail' });
    }
    const reader = program();
    await reader.call('list_blocks', { page: page.id });
    expect(await sourcesOf((await derive(reader)).id as string)).toEqual([
      { page: page.id, version: page.version },
    ]);
  });

  it('does not hold what could not be read', async () => {
    const reader = program();
    await expect(reader.call('read_page', { page: 'no such page' })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(reader.call('fixture.derive')).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

describe('[PIPE-22] sources named in an argument', () => {
  it('are recorded with their version, whether named by id, path or slug', async () => {
    const [a, b] = [await create('Source A'), await create('Source B')];
    const made = await program().call('create_page', {
      title: 'Summary',
      content: 'x',
      derived_from: [a.id, 'source-b', 'Source B'],
    });
    const expected = [
      { page: a.id, version: a.version },
      { page: b.id, version: b.version },
    ].sort((x, y) => (x.page < y.page ? -1 : 1));
    expect(await sourcesOf(made.id as string)).toEqual(expected);
  });

  it('are recorded at the version the run read, so that a change since can be seen', async () => {
    const page = await create('Read then changed', 'one');
    const writer = program();
    await writer.call('read_page', { page: page.id });
    await sluice.call('update_page_content', { page: page.id, content: 'two', base_version: page.version });
    const made = await writer.call('create_page', { title: 'From the old text', derived_from: [page.id] });
    expect(await sourcesOf(made.id as string)).toEqual([{ page: page.id, version: page.version }]);
  });

  it('do not include what was only read', async () => {
    const [named, read] = [await create('Named'), await create('Only read')];
    const writer = program();
    await writer.call('read_page', { page: read.id });
    const made = await writer.call('create_page', { title: 'Narrow', derived_from: [named.id] });
    expect(await sourcesOf(made.id as string)).toEqual([{ page: named.id, version: named.version }]);
    const free = await writer.call('create_page', { title: 'Free' });
    expect(await sourcesOf(free.id as string)).toEqual([]);
  });

  it('that do not exist refuse the whole write', async () => {
    const a = await create('Exists');
    for (const unknown of ['nowhere', '0199a0b1-1111-7111-8111-111111111111']) {
      await expect(
        program().call('create_page', { title: 'Never made', derived_from: [a.id, unknown] }),
      ).rejects.toMatchObject({ code: 'not_found', details: { field: 'derived_from' } });
    }
    for (const unknown of ['nowhere', 'memory:0199a0b1-1111-7111-8111-111111111111']) {
      const fact = { tier: 'semantic', subject: 'x', body: 'y' };
      await expect(program().call('memory_write', { ...fact, sources: [unknown] })).rejects.toMatchObject({
        code: 'not_found',
        details: { field: 'sources' },
      });
    }
    await expect(sluice.call('read_page', { page: 'never-made' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('that are in the trash do not exist for it', async () => {
    const gone = await create('Gone source');
    await sluice.call('delete_page', { page: gone.id });
    await expect(
      program().call('create_page', { title: 'Never made', derived_from: [gone.id] }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });

  it('narrow the read trail, and are refused by name when the run has not read them', async () => {
    const [used, unused, other] = [await create('Used'), await create('Unused'), await create('Unread')];
    const writer = program();
    for (const { id } of [used, unused]) await writer.call('read_page', { page: id });
    const derive = (derived_from: string[]) =>
      writer.call('create_derived_page', { title: 'Narrowed', content: 'x', derived_from });
    const made = await derive(['Used']);
    expect(await sourcesOf(made.id as string)).toEqual([{ page: used.id, version: used.version }]);
    await expect(derive([used.id, other.id])).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining(other.id),
      details: { field: 'derived_from', source: other.id },
    });
    await expect(derive([])).rejects.toMatchObject({ details: { field: 'derived_from' } });
    await expect(derive(['no such page'])).rejects.toMatchObject({ code: 'not_found' });
  });

  it('are none that the caller may not see any more, though the run has read them', async () => {
    const [open, shut] = [await create('Still open'), await create('Shut since')];
    const [writer, other] = [program('locked-out'), program('locked-out')];
    for (const { id } of [open, shut]) await writer.call('read_page', { page: id });
    await other.call('read_page', { page: shut.id });
    const who = { subject_type: 'client', subject: 'locked-out' };
    await sluice.call('grant_permission', { page: shut.id, ...who, level: 'hidden' });
    const derive = (as: SluiceClient) =>
      as.call('create_derived_page', { title: 'From what is open', content: 'x' });
    const made = await derive(writer);
    expect(await sourcesOf(made.id as string)).toEqual([{ page: open.id, version: open.version }]);
    await expect(derive(other)).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('or read there must be some where the tool takes both', async () => {
    await expect(program().call('derive.both', { text: 'x' })).rejects.toMatchObject({
      code: 'invalid_input',
    });
    await expect(program().call('derive.both', { text: 'x', from: [] })).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });

  it('and read are both taken where the tool says so', async () => {
    const [named, read] = [await create('Both named'), await create('Both read')];
    const writer = program();
    await writer.call('read_page', { page: read.id });
    const { derivedFrom } = await writer.call('derive.both', { text: 'x', from: [named.id] });
    expect((derivedFrom as EntityVersion[]).map(({ id }) => id).sort()).toEqual([named.id, read.id].sort());
  });
});

describe('[PIPE-23] a submission', () => {
  it('is built from the caller and the registration, never from arguments', async () => {
    const submission = await sluice.as({ name: 'ann' }).call('derive.both', {
      from: [(await create('Founded')).id],
      text: 'the content',
      origin: 'authored',
      lifecycle: 'canonical',
      kind: 'policy',
      caller: 'owner',
    });
    expect(submission).toMatchObject({
      kind: 'page',
      tool: 'derive.both',
      content: 'the content',
      origin: 'agent-produced',
      lifecycle: 'candidate',
      role: 'client',
    });
    expect(submission.workspace).toEqual(expect.any(String));
  });

  it.each([
    [{ name: 'ed', role: 'editor', origin: 'authored' } as const, 'authored', 'canonical'],
    [{ name: 'rev', role: 'reviewer', origin: 'authored' } as const, 'authored', 'candidate'],
    [{ name: 'ag', role: 'agent', kind: 'agent' } as const, 'agent-produced', 'candidate'],
    [{ name: 'imp', role: 'client', origin: 'imported' } as const, 'imported', 'draft'],
  ])('of %o is %s and %s', async (caller, origin, lifecycle) => {
    const made = await sluice.as(caller).call('create_page', { title: `By ${caller.name}` });
    expect(made).toMatchObject({ origin, lifecycle });
  });

  it('keeps its origin when others change the page, and its lifecycle until somebody accepts it', async () => {
    const made = await create('Kept', 'a', sluice.as({ name: 'ag', role: 'agent', kind: 'agent' }));
    const changed = await sluice.call('update_page_content', {
      page: made.id,
      content: 'b',
      base_version: made.version,
    });
    expect(changed).toMatchObject({ origin: 'agent-produced', lifecycle: 'candidate' });
  });
});

describe('[PIPE-24] a program', () => {
  const agent = sluice.as({ name: 'ag', role: 'agent', kind: 'agent' });

  it('never changes canonical content, whatever the tool', async () => {
    const page = await create('Canonical', 'a');
    await create('Under a candidate');
    const proposed = { proposal: { state: 'pending', page: page.id } };
    for (const [tool, input] of [
      ['update_page_content', { page: page.id, content: 'b', base_version: page.version }],
      ['update_page_content', { page: page.id, content: 'a\nmore' }],
      ['update_page_metadata', { page: page.id, icon: 'x' }],
      ['rename_page', { page: page.id, title: 'Taken over' }],
      ['move_page', { page: page.id, parent: null, position: 0 }],
      ['delete_page', { page: page.id }],
    ] as const) {
      expect(await agent.call(tool, input)).toMatchObject(proposed);
    }
    const { batch } = await sluice.call('delete_page', { page: page.id });
    expect(await agent.call('restore_page', { batch })).toMatchObject(proposed);
    await sluice.call('restore_page', { batch });
    expect(await sluice.call('read_page', { page: page.id })).toMatchObject({
      content: 'a',
      title: 'Canonical',
    });
  });

  it('does not take a canonical page along with one of its own', async () => {
    const own = await create('Own', 'x', agent);
    const below = await sluice.call('create_page', { title: 'Canonical below', parent: own.id });
    expect(await agent.call('delete_page', { page: own.id })).toMatchObject({ proposal: { page: own.id } });
    expect(await sluice.call('read_page', { page: below.id })).toMatchObject({ parent: own.id });
  });

  it('changes candidates', async () => {
    const own = await create('Candidate', 'a', agent);
    const changed = await agent.call('update_page_content', {
      page: own.id,
      content: 'b',
      base_version: own.version,
    });
    expect(changed.changed).toBe(true);
    expect((await agent.call('rename_page', { page: own.id, title: 'Renamed candidate' })).changed).toBe(
      true,
    );
    expect((await agent.call('delete_page', { page: own.id })).count).toBe(1);
  });
});

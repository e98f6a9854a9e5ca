/** What becomes of memory by itself, on every store. */
import { describe, expect, it } from 'vitest';
import { onEachStore } from '../support/each-store.ts';
import { DAY_MS, episode, fact, memoryOn } from '../support/memory.ts';

interface Made {
  readonly id: string;
  readonly status: string;
  readonly origin: string;
  readonly subject: string | null;
  readonly name: string | null;
  readonly body: string;
  readonly evidence: readonly string[];
  readonly replaces: number;
}

interface Upkeep {
  readonly statements: readonly Made[];
  readonly threads: readonly Made[];
  readonly runs: readonly Made[];
  readonly summaries: readonly Made[];
  readonly purged: number;
}

onEachStore('the upkeep of memory', (store) => {
  const memory = memoryOn(store);
  const { write, search, agent, read, owner, pass } = memory;
  const bodies = memory.bodies.bind(memory);
  const consolidate = async (input: object = {}, by = owner()): Promise<Upkeep> =>
    (await by.call('memory_consolidate', { ...input })) as unknown as Upkeep;

  /** Without what differs because it was made twice. */
  const shapeOf = ({ statements, threads, runs, summaries, purged }: Upkeep) => ({
    made: [...statements, ...threads, ...runs, ...summaries].map(({ body, status, origin }) => [
      body,
      status,
      origin,
    ]),
    purged,
  });

  it('[MEM-17] a thread that fell silent becomes one episode of whoever it belonged to, and is gone', async () => {
    const one = agent('t1', { thread: 'talk' });
    await write({ tier: 'working', name: 'goal', body: 'Mend the pump. With care.' }, one);
    await write({ tier: 'working', body: 'Ask about the valve.' }, one);
    pass(DAY_MS - 1_000);
    expect((await consolidate()).threads).toEqual([]);
    pass(2_000);
    expect((await consolidate({ dry_run: true })).threads).toMatchObject([{ replaces: 2 }]);
    expect(await bodies({ tiers: ['working'] }, one)).toHaveLength(2);
    await consolidate();
    expect(await bodies({ tiers: ['working'] }, one)).toEqual([]);
    const [told] = await bodies({ query: 'pump', tiers: ['episodic'] }, one);
    expect(told).toBe('A thread ended. It had in mind:\n- Ask about the valve.\n- goal: Mend the pump.');
    expect(await bodies({ query: 'pump' }, agent('t2'))).toEqual([]);
    expect((await consolidate()).threads).toEqual([]);
  });

  it('[MEM-17] an episode of a thread names what the thread worked from, and the events of its runs', async () => {
    const one = agent('t3', { thread: 'works', run: 'works' });
    const page = await owner().call('create_page', { title: 'Boiler' });
    await one.call('create_page', { title: 'Notes on the boiler' });
    const noted = { tier: 'working', body: 'The boiler leaks.', sources: [String(page.id)] };
    await write(noted, one);
    await write({ tier: 'working', body: 'Ask again.' }, one);
    pass(DAY_MS + 1_000);
    const [made] = (await consolidate()).threads;
    const told = await read(made?.id ?? '', one);
    expect(told).toMatchObject({ kind: 'thread', sources: [{ kind: 'page', id: page.id }] });
    const { events } = await owner().call('get_timeline', { run: 'agent:t3/works' });
    const sequences = (events as { sequence: number }[]).map(({ sequence }) => sequence);
    expect(told.events).toEqual({ from: Math.min(...sequences), through: Math.max(...sequences) });
  });

  it('[MEM-18] a run that ended becomes one episode of whoever made it, once', async () => {
    const one = agent('r1', { run: 'job' });
    await one.call('create_page', { title: 'Pump log' });
    await one.call('create_page', { title: 'Valve log' });
    pass(29 * 60 * 1000);
    expect((await consolidate()).runs).toEqual([]);
    pass(2 * 60 * 1000);
    expect((await consolidate()).runs).toMatchObject([
      { body: 'A run of r1: 2 changes.\n- Created "Pump log", "Valve log"', origin: 'agent-produced' },
    ]);
    expect((await consolidate()).runs).toEqual([]);
    expect(await bodies({ query: 'valve log', tiers: ['episodic'] }, one)).toHaveLength(1);
    await one.call('create_page', { title: 'Third log' });
    pass(DAY_MS);
    expect((await consolidate()).runs).toMatchObject([{ body: expect.stringContaining('1 change.') }]);
    await write(episode('Nothing changed.'), agent('r2', { run: 'idle' }));
    pass(DAY_MS);
    expect((await consolidate()).runs).toEqual([]);
  });

  it('[MEM-18] a run that ended is told once, also while an older one goes on', async () => {
    const [long, short] = [agent('r3', { run: 'long' }), agent('r4', { run: 'short' })];
    await long.call('create_page', { title: 'Begun' });
    await short.call('create_page', { title: 'Done' });
    pass(31 * 60 * 1000);
    await long.call('create_page', { title: 'Going on' });
    expect((await consolidate()).runs).toMatchObject([{ body: expect.stringContaining('"Done"') }]);
    expect((await consolidate()).runs).toEqual([]);
    pass(31 * 60 * 1000);
    expect((await consolidate()).runs).toMatchObject([{ body: expect.stringContaining('2 changes') }]);
  });

  describe('[MEM-15] what episodes have taught', () => {
    it('is a candidate made of all of them, from three episodes of two runs on', async () => {
      const said = 'The north gate is locked at night.';
      const ids = [await write(episode(said), agent('l1', { run: 'a' }))];
      ids.push(await write(episode(said), agent('l1', { run: 'a' })));
      ids.push(await write(episode(said), agent('l1', { run: 'a' })));
      expect((await consolidate()).statements).toEqual([]);
      ids.push(await write(episode('the north gate  is locked at night.'), agent('l1', { run: 'b' })));
      const told = await consolidate({ dry_run: true });
      const done = await consolidate();
      expect(shapeOf(done)).toEqual(shapeOf(told));
      expect(done.statements).toMatchObject([
        { status: 'candidate', origin: 'agent-produced', subject: 'the north gate' },
      ]);
      expect([...(done.statements[0]?.evidence ?? [])].sort()).toEqual(ids.map(({ id }) => id).sort());
      expect(await bodies({ query: 'north gate', tiers: ['semantic'] })).toEqual([]);
      expect((await consolidate()).statements).toEqual([]);
    });

    it('[MEM-35] says on the list of proposals who had noted it', async () => {
      await write(episode('Remember that the loft is cold.'), agent('l9'));
      const [made] = (await consolidate()).statements;
      const { proposals } = await owner().call('list_proposals', {});
      expect(proposals).toContainEqual(
        expect.objectContaining({ id: made?.id, summary: expect.stringContaining('from what l9 noted') }),
      );
    });

    it('is not asked again after it was rejected', async () => {
      await write(episode('Remember that the cellar is wet.'), agent('l2'));
      const [made] = (await consolidate()).statements;
      await owner().call('memory_review', { id: made?.id, decision: 'reject' });
      pass(31 * DAY_MS);
      expect(await consolidate()).toMatchObject({ statements: [] });
    });

    it('counts at once only when a person said it and nothing contradicts', async () => {
      await write(episode('Please remember that the attic is dry.'));
      expect((await consolidate()).statements).toMatchObject([{ status: 'active', origin: 'authored' }]);
      await write(episode('Remember that the attic is damp.'));
      expect((await consolidate()).statements).toMatchObject([{ status: 'candidate' }]);
      expect(await bodies({ query: 'attic', tiers: ['semantic'] })).toEqual(['the attic is dry.']);
    });

    it('about how to do something always waits for a person', async () => {
      for (const run of ['a', 'b', 'c'])
        await write(
          episode(`Flush it in run ${run}.`, { name: 'flush the boiler', outcome: 'success' }),
          agent('l3', { run }),
        );
      await write(episode('Do it this way: open, wait, shut.', { subject: 'vent the roof' }));
      expect((await consolidate()).statements).toMatchObject([
        { status: 'candidate', name: 'vent the roof', body: 'open, wait, shut.', origin: 'authored' },
        { status: 'candidate', name: 'flush the boiler', body: 'Flush it in run c.' },
      ]);
    });

    it('[MEM-27] about how to do something is learned from what succeeded, never from what failed', async () => {
      const report = (run: string, outcome?: string) =>
        write(episode(`Published in ${run}.`, { name: 'publish', outcome }), agent('l6', { run }));
      const taught = async () => (await consolidate()).statements.filter(({ name }) => name === 'publish');
      for (const run of ['a', 'b', 'c']) await report(run, 'failure');
      for (const run of ['d', 'e', 'f']) await report(run);
      const good = [await report('g', 'success'), await report('h', 'success')];
      expect(await taught()).toEqual([]);
      good.push(await report('i', 'success'));
      await report('j', 'failure');
      const [made] = await taught();
      expect(made).toMatchObject({ status: 'candidate', body: 'Published in i.' });
      expect([...(made?.evidence ?? [])].sort()).toEqual(good.map(({ id }) => id).sort());
      expect(await read(good[0]?.id ?? '')).toMatchObject({ outcome: 'success' });
    });

    it('of one agent is not for another to ask for', async () => {
      await expect(consolidate({}, agent('l4'))).rejects.toMatchObject({ code: 'denied' });
      await write(episode('Remember that the shed is red.'), agent('l4'));
      await write(episode('Remember that the barn is blue.'), agent('l5'));
      expect((await consolidate({ scope: 'agent' }, agent('l4'))).statements).toMatchObject([
        { body: 'the shed is red.' },
      ]);
    });
  });

  describe('[MEM-19] old episodes', () => {
    it('are summed up by the day after 90 days; what is pinned or the source of something stays', async () => {
      const note = await write(episode('Oiled the hinge. It took long.'), agent('o1'));
      await write(episode('Painted the fence.'), agent('o1'));
      const pinned = await write(episode('Found the key.', { pinned: true }), agent('o1'));
      const source = await write(episode('Saw the hinge rust.'), agent('o1'));
      await write(fact('hinge', 'Rusts.', { sources: [`memory:${source.id}`] }), agent('o1'));
      pass(89 * DAY_MS);
      expect((await consolidate()).summaries.some(({ body }) => body.includes('hinge'))).toBe(false);
      pass(2 * DAY_MS);
      const told = await consolidate({ dry_run: true });
      expect(shapeOf(await consolidate())).toEqual(shapeOf(told));
      await expect(read(note.id)).rejects.toMatchObject({ code: 'not_found' });
      for (const { id } of [pinned, source]) expect(await read(id)).toMatchObject({ status: 'active' });
      const [summary] = await bodies({ query: 'fence', tiers: ['episodic'] }, agent('o1'));
      expect(summary).toMatch(/^On \d{4}-\d\d-\d\d:\n- Oiled the hinge\.\n- Painted the fence\.$/);
      pass(366 * DAY_MS);
      await consolidate();
      expect((await search({ query: 'fence', tiers: ['episodic'] }, agent('o1'))).items).toMatchObject([
        { body: summary, origin: 'agent-produced' },
      ]);
    });

    it('and all else that was forgotten leave the trash after 30 days', async () => {
      const { id } = await write(fact('Trash', 'Here.'));
      await owner().call('memory_forget', { ids: [id] });
      pass(29 * DAY_MS);
      await consolidate();
      expect(await read(id)).toMatchObject({ status: 'trashed' });
      pass(2 * DAY_MS);
      expect((await consolidate()).purged).toBeGreaterThan(0);
      await expect(read(id)).rejects.toMatchObject({ code: 'not_found' });
    });
  });
});

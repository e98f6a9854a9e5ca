/** What each tier of memory promises, on every store. */
import { describe, expect, it } from 'vitest';
import { onEachStore } from '../support/each-store.ts';
import { DAY_MS, episode, fact, memoryOn, procedure } from '../support/memory.ts';

onEachStore('memory', (store) => {
  const memory = memoryOn(store);
  const { write, search, agent, read, pass } = memory;
  const bodies = memory.bodies.bind(memory);

  describe('[MEM-01] working memory', () => {
    it('is written over in place, comes newest first and needs no review', async () => {
      const one = agent('w1', { thread: 't' });
      const first = await write({ tier: 'working', name: 'goal', body: 'Find it.' }, one);
      expect(first).toMatchObject({ outcome: 'written', status: 'active' });
      await write({ tier: 'working', body: 'A thought.' }, one);
      const again = await write({ tier: 'working', name: 'goal', body: 'Found it.' }, one);
      expect(again).toMatchObject({ outcome: 'overwritten', id: first.id });
      expect(await bodies({ tiers: ['working'] }, one)).toEqual(['Found it.', 'A thought.']);
    });

    it('belongs to one thread of one principal', async () => {
      const mine = agent('w3', { thread: 'same' });
      const { id } = await write({ tier: 'working', body: 'Only mine.' }, mine);
      for (const other of [agent('w3', { thread: 'another' }), agent('w4', { thread: 'same' })]) {
        expect(await bodies({ tiers: ['working'] }, other)).toEqual([]);
        await expect(read(id, other)).rejects.toMatchObject({ code: 'not_found' });
      }
      expect(await mine.call('memory_context', { thread: 'same' })).toMatchObject({
        tiers: { working: [{ body: 'Only mine.' }] },
      });
    });
  });

  describe('[MEM-02] a thread', () => {
    it('keeps 32 items, and lets the oldest go that is not pinned', async () => {
      const one = agent('w2', { thread: 't' });
      const kept = await write({ tier: 'working', name: 'keep', body: 'Pinned.', pinned: true }, one);
      for (let i = 0; i < 40; i += 1) await write({ tier: 'working', body: `Item ${i}` }, one);
      const { items } = await search({ tiers: ['working'] }, one);
      expect(items).toHaveLength(32);
      expect(items.map(({ id }) => id)).toContain(kept.id);
      expect(items[0]?.body).toBe('Item 39');
      expect(items.at(-2)?.body).toBe('Item 9');
    });

    it('keeps 8 KB, and refuses what cannot fit beside what is pinned', async () => {
      const one = agent('w5', { thread: 't' });
      for (const size of [3_000, 3_000, 3_000]) await write({ tier: 'working', body: 'x'.repeat(size) }, one);
      expect(await bodies({ tiers: ['working'] }, one)).toHaveLength(2);
      await write({ tier: 'working', body: 'p'.repeat(5_000), pinned: true }, one);
      await expect(write({ tier: 'working', body: 'q'.repeat(4_000) }, one)).rejects.toMatchObject({
        code: 'conflict',
        details: { reason: 'full' },
      });
      await expect(write({ tier: 'working', body: 'x'.repeat(8_193) }, one)).rejects.toMatchObject({
        code: 'invalid_input',
        details: { field: 'body' },
      });
    });
  });

  describe('[MEM-03] an episode', () => {
    it('is never changed; what corrects it is a new one', async () => {
      const { id, version } = await write(episode('The build broke at noon.'));
      await expect(
        memory.owner().call('memory_update', { id, if_match: version, body: 'It did not.' }),
      ).rejects.toMatchObject({ code: 'invalid_input', details: { field: 'body' } });
      const other = await write(episode('It broke at one.', { sources: [`memory:${id}`] }));
      expect(await read(other.id)).toMatchObject({ sources: [{ kind: 'memory', id }] });
      expect(await bodies({ query: 'broke', tiers: ['episodic'] })).toHaveLength(2);
    });

    it('of an agent stays its own unless it says otherwise', async () => {
      await write(episode('A private observation of quartz.'), agent('e1'));
      await write(episode('A shared observation of quartz.', { scope: 'workspace' }), agent('e1'));
      expect(await bodies({ query: 'quartz' }, agent('e2'))).toEqual(['A shared observation of quartz.']);
      expect(await bodies({ query: 'quartz' }, agent('e1'))).toHaveLength(2);
      expect(await bodies({ query: 'quartz' })).toHaveLength(2);
    });
  });

  it('[MEM-29] what holds comes before what holds no more, however well that matches', async () => {
    const oldest = 'Ferry rota, ferry rota: daily.';
    const [older, holds] = [
      'The ferry, as the rota says.',
      'On Mondays, unless there is fog on the far side.',
    ];
    await write(fact('Ferry', oldest, { confidence: 1 }));
    await write(fact('Ferry', older, { confidence: 0.5 }));
    const then = new Date(memory.now()).toISOString();
    pass(2);
    await write(fact('Ferry', holds, { confidence: 0.4 }));
    const all = { query: 'ferry rota', tiers: ['semantic'], include_superseded: true };
    expect(await bodies(all)).toEqual([holds, oldest, older]);
    // What held at a time comes first when that is asked for.
    expect(await bodies({ ...all, as_of: then })).toEqual([older, oldest]);
    // Also where the answer comes in parts.
    const first = await search({ ...all, budget: 240 });
    expect(first.items.map(({ body }) => body)).toEqual([holds]);
    const rest = await search({ ...all, cursor: first.next_cursor });
    expect(rest.items.map(({ body }) => body)).toEqual([oldest, older]);
  });

  describe('[MEM-04] a fact', () => {
    it('of the same subject and predicate takes over; the old one is kept, hidden and counted', async () => {
      const old = await write(fact('Train', 'Leaves on Monday.'));
      pass(DAY_MS);
      const fresh = await write(fact(' TRAIN', 'Leaves on Tuesday.'));
      expect(fresh).toMatchObject({ outcome: 'written', superseded: [old.id] });
      const found = await search({ query: 'train', tiers: ['semantic'] });
      expect(found.items.map(({ body }) => body)).toEqual(['Leaves on Tuesday.']);
      expect(found.hidden.superseded).toBe(1);
      expect(await bodies({ query: 'train', tiers: ['semantic'], include_superseded: true })).toHaveLength(2);
      const earlier = new Date(memory.now() - DAY_MS / 2).toISOString();
      const then = await search({ query: 'train', tiers: ['semantic'], as_of: earlier });
      expect(then.items).toMatchObject([{ id: old.id, status: 'active' }]);
      expect(await read(old.id)).toMatchObject({
        status: 'superseded',
        superseded_by: fresh.id,
        valid_to: new Date(memory.now()).toISOString(),
        line: [
          { id: old.id, status: 'superseded' },
          { id: fresh.id, status: 'active' },
        ],
      });
    });

    it('with another predicate, or in another scope, contradicts nothing', async () => {
      await write(fact('Ada', 'London', { predicate: 'lives in' }));
      expect(await write(fact('Ada', 'Green tea', { predicate: 'likes' }))).toMatchObject({ superseded: [] });
      expect(await write(fact('Ada', 'Paris', { predicate: 'lives in', scope: 'agent' }))).toMatchObject({
        superseded: [],
      });
    });

    it('holds only when it should: told of the past it ends nothing, told of the future it waits', async () => {
      const now = memory.now();
      const day = (n: number): string => new Date(now + n * DAY_MS).toISOString();
      const held = await write(fact('Mayor', 'Now', { valid_from: day(-10) }));
      const past = await write(fact('Mayor', 'Before', { valid_from: day(-30), valid_to: day(-20) }));
      const older = await write(fact('Mayor', 'Learned late', { valid_from: day(-15) }));
      const next = await write(fact('Mayor', 'Next', { valid_from: day(10) }));
      expect(past.superseded).toEqual([]);
      expect(older).toMatchObject({ status: 'superseded' });
      expect(next).toMatchObject({ status: 'upcoming' });
      expect(await read(held.id)).toMatchObject({ status: 'active', superseded_by: next.id });
      const then = (n: number) => bodies({ query: 'mayor', tiers: ['semantic'], as_of: day(n) });
      expect(await then(-25)).toEqual(['Before']);
      expect(await then(-12)).toEqual(['Learned late']);
      expect(await then(0)).toEqual(['Now']);
      expect(await then(11)).toEqual(['Next']);
      expect(await then(-18)).toEqual([]);
    });
  });

  it('[MEM-05] an exact duplicate of a fact is counted, not kept twice', async () => {
    const first = await write(fact('Moon', 'Far  away.'));
    const again = await write(fact('moon', 'far away.'));
    expect(again).toMatchObject({ outcome: 'duplicate', id: first.id, version: first.version });
    expect(await write(fact('Moon', 'Far away.'), agent('d1'))).toMatchObject({ outcome: 'duplicate' });
    expect(await read(first.id)).toMatchObject({ use_count: 2, last_used_at: expect.any(String) });
  });

  describe('[MEM-06] a way of doing things', () => {
    it('is listed by name and description; its body is read', async () => {
      const { id } = await write(procedure('cut a release', 'Tag, build, publish.'));
      const [shown] = (await search({ query: 'release', tiers: ['procedural'] })).items;
      expect(shown).toMatchObject({ name: 'cut a release', description: 'When to cut a release' });
      expect(shown).not.toHaveProperty('body');
      expect(await read(id)).toMatchObject({ body: 'Tag, build, publish.' });
    });

    it('of the same name is its next version; forgetting the newest is one step back', async () => {
      const one = await write(procedure('deploy', 'By hand.'));
      const two = await write(procedure('Deploy', 'By script.'));
      expect(two.superseded).toEqual([one.id]);
      const three = (await memory
        .owner()
        .call('memory_update', { id: two.id, body: 'By robot.' })) as unknown as typeof two;
      expect(three).toMatchObject({ outcome: 'written', superseded: [two.id] });
      expect(await memory.owner().call('memory_forget', { ids: [three.id] })).toMatchObject({
        revived: [two.id],
      });
      expect(await read(two.id)).toMatchObject({ status: 'active', body: 'By script.' });
      expect(await memory.owner().call('memory_update', { id: three.id, restore: true })).toMatchObject({
        status: 'active',
      });
      expect(await read(two.id)).toMatchObject({ status: 'superseded' });
    });

    it('that failed three times in a row, or was long unused, is marked and not hidden', async () => {
      const { id } = await write(procedure('restart', 'Off and on.'));
      const report = (outcome: string) => agent('p1').call('memory_update', { id, outcome });
      for (const outcome of ['failure', 'failure', 'success', 'failure', 'failure']) await report(outcome);
      expect(await read(id)).toMatchObject({ stale: false, failures: 2 });
      await report('failure');
      expect(await read(id)).toMatchObject({ stale: true, failures: 3, failed: 5, successes: 1 });
      const other = await write(procedure('rest', 'Sleep.'));
      pass(91 * DAY_MS);
      expect(await read(other.id)).toMatchObject({ stale: true, status: 'active' });
      expect((await search({ query: 'rest', tiers: ['procedural'] })).items[0]).toMatchObject({
        stale: true,
      });
    });
  });

  it('[MEM-26] what failed comes after what was never used, and what helped before both', async () => {
    const ways = ['pull', 'twist', 'push'].map((way) => procedure(`open the hatch: ${way}`, `${way} it.`));
    const ids = [];
    for (const way of ways) ids.push((await write(way)).id);
    const [fails, unused, helps] = ids;
    const report = (id: string | undefined, outcome: string) =>
      agent('p2').call('memory_update', { id, outcome });
    for (let i = 0; i < 5; i += 1) await report(fails, 'failure');
    for (let i = 0; i < 2; i += 1) await report(helps, 'success');
    const { items } = await search({ query: 'open the hatch', tiers: ['procedural'] });
    expect(items.map(({ id }) => id).indexOf(helps ?? '')).toBe(0);
    const scoreOf = (id?: string) => (items.find((one) => one.id === id) as { score?: number })?.score ?? 0;
    expect(scoreOf(fails)).toBeLessThanOrEqual(scoreOf(unused));
    expect(await read(fails ?? '')).toMatchObject({ use_count: 5, successes: 0, failed: 5 });
  });

  it('[MEM-07] what is too long, or lacks what its tier needs, is refused by the name of the field', async () => {
    const wrong: [object, string][] = [
      [episode('x'.repeat(2_049)), 'body'],
      [fact('s', 'x'.repeat(1_025)), 'body'],
      [procedure('p', 'x'.repeat(16_385)), 'body'],
      [{ tier: 'semantic', body: 'No subject.' }, 'subject'],
      [{ tier: 'procedural', body: 'No name.', description: 'd' }, 'name'],
      [{ tier: 'procedural', body: 'No description.', name: 'n' }, 'description'],
      [procedure('p', 'Body.', { description: 'x'.repeat(201) }), 'description'],
      [episode(' \n'), 'body'],
      [episode('Thread.', { scope: 'thread' }), 'scope'],
      [{ tier: 'working', body: 'Shared.', scope: 'workspace' }, 'scope'],
      [episode('Project.', { scope: 'project' }), 'scope'],
      [fact('s', 'No episode.', { outcome: 'success' }), 'outcome'],
      [episode('Future.', { observed_at: '2999-01-01' }), 'observed_at'],
      [fact('s', 'Backwards.', { valid_from: '2026-01-02', valid_to: '2026-01-01' }), 'valid_to'],
    ];
    for (const [input, field] of wrong)
      await expect(write({ ...input })).rejects.toMatchObject({ code: 'invalid_input', details: { field } });
    expect(await write(fact('edge', 'x'.repeat(1_024)))).toMatchObject({ outcome: 'written' });
  });

  describe('[MEM-10] forgetting', () => {
    it('is told by a dry run exactly, revives what held before, and can be taken back', async () => {
      const old = await write(fact('Door', 'Open.'));
      const fresh = await write(fact('Door', 'Shut.'));
      const forget = (dry_run: boolean) => memory.owner().call('memory_forget', { ids: [fresh.id], dry_run });
      const told = await forget(true);
      expect(await bodies({ query: 'door' })).toEqual(['Shut.']);
      expect({ ...(await forget(false)), dry_run: true }).toEqual(told);
      expect(told).toMatchObject({ forgotten: [fresh.id], revived: [old.id] });
      expect(await bodies({ query: 'door' })).toEqual(['Open.']);
      expect(await bodies({ query: 'door', include_superseded: true })).toEqual(['Open.']);
      expect(await forget(false)).toMatchObject({ forgotten: [], revived: [] });
    });

    it('of what something was derived from marks it when nothing is left of it', async () => {
      const one = await write(episode('Saw a heron.'));
      const two = await write(episode('Saw another heron.'));
      const sources = [one, two].map(({ id }) => `memory:${id}`);
      const derived = await write(fact('heron', 'Lives here.', { sources }));
      const waiting = await write(fact('herons', 'Nest here.', { sources: [sources[0]] }), agent('f1'));
      expect(await memory.owner().call('memory_forget', { ids: [one.id] })).toMatchObject({
        derived: expect.arrayContaining([
          { id: derived.id, sources_left: 1, becomes: 'supported' },
          { id: waiting.id, sources_left: 0, becomes: 'forgotten' },
        ]),
      });
      expect(await read(waiting.id)).toMatchObject({ status: 'trashed' });
      expect(await memory.owner().call('memory_forget', { ids: [two.id] })).toMatchObject({
        derived: [{ id: derived.id, sources_left: 0, becomes: 'unsupported' }],
      });
      expect(await read(derived.id)).toMatchObject({ unsupported: true, status: 'active' });
      await memory.owner().call('memory_update', { id: two.id, restore: true });
      expect(await read(derived.id)).toMatchObject({ unsupported: false });
    });
  });

  it('[MEM-11] one memory can be said to hold instead of another, until it is forgotten itself', async () => {
    const old = await write(fact('Postgres', 'Our database.'));
    const fresh = await write(fact('Datastore', 'SQLite.'));
    const wish = { old: old.id, new: fresh.id };
    expect(await agent('s1').call('memory_supersede', wish)).toMatchObject({
      proposal: { state: 'pending' },
    });
    expect(await read(old.id)).toMatchObject({ status: 'active' });
    expect(await memory.owner().call('memory_supersede', wish)).toMatchObject({
      old: { status: 'superseded' },
    });
    await expect(memory.owner().call('memory_supersede', wish)).rejects.toMatchObject({
      details: { field: 'old' },
    });
    expect(await bodies({ query: 'postgres' })).toEqual([]);
    await memory.owner().call('memory_forget', { ids: [fresh.id] });
    expect(await read(old.id)).toMatchObject({ status: 'active', superseded_by: null });
  });

  it('[MEM-22] a tier can be read as a resource, as the caller sees it', async () => {
    await write(fact('Resource', 'Readable.'));
    const { text = '' } = await memory.owner().readResource('sluice://memory/semantic');
    expect(JSON.parse(text).items.map(({ body }: { body: string }) => body)).toContain('Readable.');
    await expect(memory.owner().readResource('inklings://memory/none')).rejects.toMatchObject({
      code: 'resource_not_found',
    });
    const thread = await agent('r1', { thread: 't' }).readResource('sluice://memory/working');
    expect(JSON.parse(thread.text ?? '')).toMatchObject({ items: [], truncated: false });
  });

  it('[MEM-23] counts are by tier and only of what is there for the caller', async () => {
    const lone = agent('c1');
    const before = (await lone.call('memory_stats')) as { tiers: { tier: string; candidates: number }[] };
    await write(fact('Counted', 'Proposed.'), agent('c2'));
    expect(await lone.call('memory_stats')).toEqual(before);
    const own = (await agent('c2').call('memory_stats')) as typeof before;
    expect(own.tiers).toContainEqual(expect.objectContaining({ tier: 'semantic', candidates: 1 }));
  });

  it('[MEM-24] what a memory was made from is shown only as far as it exists for the caller', async () => {
    const page = await memory.owner().call('create_page', { title: 'Secret plan' });
    const noted = await write(episode('Of an agent.'), agent('h1'));
    const sources = [String(page.id), `memory:${noted.id}`];
    const { id } = await write(fact('Plan', 'Exists.', { sources }));
    expect(await read(id)).toMatchObject({ sources: [{ id: page.id }, { id: noted.id }] });
    expect(await read(id, agent('h1'))).toMatchObject({ sources: [{ id: page.id }, { id: noted.id }] });
    expect(await read(id, agent('h2'))).toMatchObject({ sources: [{ id: page.id }] });
    await memory.owner().call('grant_permission', {
      page: page.id,
      subject_type: 'role',
      subject: 'agent',
      level: 'hidden',
    });
    const absent = { code: 'not_found', message: expect.stringContaining('There is no memory') };
    for (const name of ['h1', 'h2']) {
      await expect(read(id, agent(name))).rejects.toMatchObject(absent);
      expect(await bodies({ query: 'plan' }, agent(name))).toEqual([]);
    }
    expect(await read(id)).toMatchObject({ sources: [{ id: page.id }, { id: noted.id }] });
    const hidden = write(fact('Plan', 'Copied.', { sources: [String(page.id)] }), agent('h2'));
    await expect(hidden).rejects.toMatchObject({ code: 'not_found' });
  });

  it('[MEM-24] what was made from such a memory is as hidden, and what it took over from is over all the same', async () => {
    const page = await memory.owner().call('create_page', { title: 'Locked' });
    const seen = await write(fact('Vault', 'Open.'));
    const secret = await write(fact('Vault', 'Shut.', { sources: [String(page.id)] }));
    const made = await write(episode('It is shut.', { sources: [`memory:${secret.id}`] }));
    const grant = { page: page.id, subject_type: 'role', subject: 'agent', level: 'hidden' };
    await memory.owner().call('grant_permission', grant);
    for (const { id } of [secret, made])
      await expect(read(id, agent('h3'))).rejects.toMatchObject({ code: 'not_found' });
    expect(await read(seen.id, agent('h3'))).toMatchObject({ status: 'superseded', superseded_by: null });
    expect(await read(seen.id)).toMatchObject({ status: 'superseded', superseded_by: secret.id });
    const found = await search({ query: 'vault shut', include_superseded: true }, agent('h3'));
    expect(found.items.map(({ id }) => id)).toEqual([seen.id]);
    expect(JSON.stringify(found)).not.toContain(secret.id);
  });

  it('[MEM-24] what was proposed about such a memory, and what happened to it, is as hidden', async () => {
    const page = await memory.owner().call('create_page', { title: 'Sealed' });
    const secret = await write(fact('Seal', 'Red.', { sources: [String(page.id)] }));
    const ids = [secret.id];
    for (const tool of ['accept_proposal', 'reject_proposal', undefined]) {
      const change = { id: secret.id, confidence: 0.4 };
      const { proposal } = await memory.client('c1').call('memory_update', change);
      const { id } = proposal as { id: string };
      ids.push(id);
      if (tool !== undefined) await memory.owner().call(tool, { proposal: id });
    }
    const told = async (): Promise<string> =>
      JSON.stringify([
        await agent('h5').call('get_timeline', { limit: 100 }),
        await agent('h5').call('list_proposals', { limit: 100 }),
      ]);
    const before = await told();
    for (const id of ids) expect(before).toContain(id);
    const grant = { page: page.id, subject_type: 'role', subject: 'agent', level: 'hidden' };
    await memory.owner().call('grant_permission', grant);
    const after = await told();
    for (const id of ids) expect(after).not.toContain(id);
  });

  it('[MEM-24] the words of such a memory do not change the order of what is shown', async () => {
    const page = await memory.owner().call('create_page', { title: 'Archive' });
    const grant = { page: page.id, subject_type: 'role', subject: 'agent', level: 'hidden' };
    await memory.owner().call('grant_permission', grant);
    const quill = await write(fact('Left desk', 'Has a quill.'));
    const ink = await write(fact('Right desk', 'Has ink in a pot that somebody left there.'));
    for (let i = 0; i < 6; i += 1)
      await write(fact(`Archived ${i}`, 'Has a quill.', { sources: [String(page.id)] }));
    const order = async (by = memory.owner()): Promise<string[]> =>
      (await search({ query: 'quill ink', tiers: ['semantic'] }, by)).items
        .map(({ id }) => id)
        .filter((id) => [quill.id, ink.id].includes(id));
    expect(await order()).toEqual([ink.id, quill.id]);
    expect(await order(agent('h7'))).toEqual([quill.id, ink.id]);
  });

  it('[MEM-24] what is to take over and is hidden is named in no context', async () => {
    const page = await memory.owner().call('create_page', { title: 'Coming' });
    const seen = await write(fact('Drawbridge', 'Down.'));
    const coming = await write(
      fact('Drawbridge', 'Up.', { sources: [String(page.id)], valid_from: '2090-01-01T00:00:00Z' }),
    );
    const grant = { page: page.id, subject_type: 'role', subject: 'agent', level: 'hidden' };
    const told = async (as = agent('h6')): Promise<string> =>
      JSON.stringify(await as.call('memory_context', { query: 'drawbridge' }));
    expect(await told()).toContain(coming.id);
    await memory.owner().call('grant_permission', grant);
    const shown = await told();
    expect(shown).toContain(seen.id);
    expect(shown).not.toContain(coming.id);
  });
});

/** What agents remember waits for a person, on every store. */
import { describe, expect, it } from 'vitest';
import { onEachStore } from '../support/each-store.ts';
import { DAY_MS, episode, fact, memoryOn, procedure } from '../support/memory.ts';

onEachStore('memory under review', (store) => {
  const memory = memoryOn(store);
  const { write, search, agent, client, read, owner } = memory;
  const bodies = memory.bodies.bind(memory);
  const review = (id: string, decision: string, more: object = {}) =>
    owner().call('memory_review', { id, decision, ...more });

  describe('[MEM-08] what an agent states', () => {
    it('is a candidate: there for itself and for who reviews, for nobody else', async () => {
      const one = agent('a1');
      const { id, ...written } = await write(fact('Basalt', 'A rock.'), one);
      expect(written).toMatchObject({ outcome: 'candidate', status: 'candidate', lifecycle: 'candidate' });
      for (const caller of [one, agent('a2'), owner()])
        expect(await bodies({ query: 'basalt' }, caller)).toEqual([]);
      const all = { query: 'basalt', include_candidates: true };
      expect(await bodies(all, one)).toEqual(['A rock.']);
      expect(await bodies(all)).toEqual(['A rock.']);
      expect(await search(all, agent('a2'))).toEqual({ items: [], hidden: { superseded: 0, candidates: 0 } });
      expect((await search({ query: 'basalt' })).hidden.candidates).toBe(1);
      await expect(read(id, agent('a2'))).rejects.toMatchObject({
        code: 'not_found',
        message: `There is no memory "${id}"`,
      });
    });

    it('counts once a person accepts it, and its origin stays', async () => {
      const old = await write(fact('Granite', 'Soft.'));
      const { id } = await write(fact('Granite', 'Hard.'), client('c1'));
      expect(await bodies({ query: 'granite' })).toEqual(['Soft.']);
      expect(await review(id, 'accept')).toMatchObject({
        outcome: 'written',
        lifecycle: 'canonical',
        origin: 'agent-produced',
        superseded: [old.id],
      });
      expect(await bodies({ query: 'granite' }, agent('a3'))).toEqual(['Hard.']);
      await expect(review(id, 'accept')).rejects.toMatchObject({ code: 'not_found' });
    });

    it('can be accepted in other words, and is gone when it is rejected', async () => {
      const one = await write(fact('Marble', 'Whiet.'), agent('a1'));
      expect(await review(one.id, 'accept', { body: 'White.' })).toMatchObject({ status: 'active' });
      expect(await bodies({ query: 'marble' })).toEqual(['White.']);
      const two = await write(procedure('polish marble', 'With acid.'), agent('a1'));
      expect(await review(two.id, 'reject', { reason: 'No.' })).toMatchObject({ status: 'trashed' });
      expect((await search({ query: 'polish', include_candidates: true })).items).toEqual([]);
    });

    it('is decided by nobody but a person who may review', async () => {
      const { id } = await write(fact('Slate', 'Grey.'), agent('a1'));
      for (const caller of [agent('a1'), client('c1')])
        await expect(caller.call('memory_review', { id, decision: 'accept' })).rejects.toMatchObject({
          code: 'unknown_tool',
        });
    });

    it('cannot be changed by another agent; what was accepted by none', async () => {
      const mine = await write(fact('Flint', 'Sharp.'), agent('a1'));
      const shared = await write(episode('Found flint.', { scope: 'workspace' }), agent('a1'));
      const canon = await write(fact('Chalk', 'White.'));
      const forget = (id: string, by: string) => agent(by).call('memory_forget', { ids: [id] });
      await expect(forget(mine.id, 'a2')).rejects.toMatchObject({ code: 'not_found' });
      await expect(forget(shared.id, 'a2')).rejects.toMatchObject({ code: 'denied' });
      for (const proposed of [
        await forget(canon.id, 'a1'),
        await agent('a1').call('memory_update', { id: canon.id, body: 'Black.' }),
      ])
        expect(proposed).toMatchObject({ proposal: { state: 'pending' } });
      expect(await bodies({ query: 'chalk' })).toEqual(['White.']);
      expect(await forget(mine.id, 'a1')).toMatchObject({ forgotten: [mine.id] });
    });
  });

  describe('[MEM-12] the list of proposals', () => {
    interface Listed {
      readonly proposals: readonly { id: string; summary: string; state: string; page: string | null }[];
    }
    const listed = async (state = 'pending') =>
      ((await owner().call('list_proposals', { state })) as unknown as Listed).proposals;
    const stateOf = async (id: string) => (await owner().call('read_proposal', { proposal: id })).state;

    it('has what agents stated, and a yes there makes it count', async () => {
      const { id } = await write(fact('Ore', 'Heavy.'), agent('a1'));
      expect((await listed()).find((one) => one.id === id)).toMatchObject({
        page: null,
        summary: 'New semantic memory "Ore": Heavy.',
      });
      expect(await owner().call('accept_proposal', { proposal: id })).toMatchObject({ accepted: 1 });
      expect(await read(id)).toMatchObject({ status: 'active', origin: 'agent-produced', owner: 'a1' });
      expect(await stateOf(id)).toBe('accepted');
      await expect(review(id, 'reject')).rejects.toMatchObject({ code: 'not_found' });
    });

    it('takes other words along with a yes, and a no', async () => {
      const one = await write(fact('Coal', 'Blakc.'), agent('a1'));
      await owner().call('accept_proposal', { proposal: one.id, arguments: { body: 'Black.' } });
      expect(await bodies({ query: 'coal' })).toEqual(['Black.']);
      const two = await write(fact('Coal', 'White.'), agent('a1'));
      await owner().call('reject_proposal', { proposal: two.id, reason: 'It is not.' });
      expect(await read(two.id)).toMatchObject({ status: 'trashed' });
      expect(await bodies({ query: 'coal', include_candidates: true })).toEqual(['Black.']);
    });

    it('accepts everything of one run, facts and procedures alike', async () => {
      const one = agent('a7', { run: 'batch' });
      await write(fact('Tin', 'Soft.'), one);
      await write(procedure('cast tin', 'Melt it.'), one);
      expect(await owner().call('accept_proposal', { run: 'agent:a7/batch' })).toMatchObject({ accepted: 2 });
      expect(await bodies({ query: 'tin', tiers: ['semantic'] }, agent('a8'))).toEqual(['Soft.']);
    });

    it('agrees with decisions that are made elsewhere', async () => {
      const ids = [];
      for (const body of ['One.', 'Two.', 'Three.'])
        ids.push((await write(fact(`Iron ${body}`, body), agent('a1'))).id);
      const [one = '', two = '', three = ''] = ids;
      await review(one, 'accept');
      await review(two, 'reject');
      await agent('a1').call('memory_forget', { ids: [three] });
      expect(await Promise.all(ids.map(stateOf))).toEqual(['accepted', 'rejected', 'rejected']);
      await agent('a1').call('memory_update', { id: three, restore: true });
      expect(await stateOf(three)).toBe('pending');
    });

    it('carries out what an agent wanted changed when an author says yes', async () => {
      const canon = await write(fact('Gold', 'Cheap.'));
      const asked = await agent('a1').call('memory_update', { id: canon.id, body: 'Dear.' });
      const { id } = asked.proposal as { id: string };
      await owner().call('accept_proposal', { proposal: id });
      expect(await bodies({ query: 'gold' })).toEqual(['Dear.']);
      const [newest] = (await search({ query: 'gold' })).items;
      expect(newest).toMatchObject({ origin: 'agent-produced' });
      expect(await read(canon.id)).toMatchObject({ superseded_by: newest?.id });
    });

    it('shows what changed since: a yes to something that moved on is refused until it is meant', async () => {
      await write(fact('Lead', 'Old.'));
      const { id } = await write(fact('Lead', 'Proposed.'), agent('a1'));
      await write(fact('Lead', 'Moved on.'));
      await expect(owner().call('accept_proposal', { proposal: id })).rejects.toMatchObject({
        code: 'conflict',
        details: { reason: 'base', current: { body: 'Moved on.' } },
        message: expect.stringContaining('"despite_changes"'),
      });
      memory.pass(1);
      await owner().call('accept_proposal', { proposal: id, despite_changes: true });
      expect(await bodies({ query: 'lead' })).toEqual(['Proposed.']);
    });

    it('speaks of no page: neither of its text nor that it would be gone', async () => {
      const { id } = await write(fact('Cobalt', 'Soft.'), agent('a1'));
      for (const input of [{ content: 'Hard.' }, { version: '1' }])
        await expect(owner().call('accept_proposal', { proposal: id, ...input })).rejects.toMatchObject({
          code: 'invalid_input',
          details: { field: Object.keys(input)[0] },
        });
      const canon = await write(fact('Nickel', 'Grey.'));
      const asked = await agent('a1').call('memory_update', { id: canon.id, body: 'White.' });
      await owner().call('memory_forget', { ids: [canon.id] });
      const { id: late } = asked.proposal as { id: string };
      await expect(owner().call('accept_proposal', { proposal: late })).rejects.toMatchObject({
        code: 'conflict',
        message: expect.not.stringContaining('page'),
      });
    });
  });

  describe('[MEM-09] who writes on a state that moved on', () => {
    it('is told so: a version, a base, and what a candidate was about', async () => {
      const first = await write(fact('Tide', 'Low.'));
      await expect(write(fact('Tide', 'Middle.', { base_version: 'none' }))).rejects.toMatchObject({
        code: 'conflict',
        details: { version: first.version },
      });
      const candidate = await write(fact('Tide', 'High.', { base_version: first.version }), agent('a1'));
      const second = await write(fact('Tide', 'Turning.', { base_version: first.version }));
      await expect(
        owner().call('memory_update', { id: first.id, if_match: first.version, confidence: 0.1 }),
      ).rejects.toMatchObject({ code: 'conflict', details: { field: 'if_match' } });
      await expect(review(candidate.id, 'accept')).rejects.toMatchObject({
        code: 'conflict',
        details: { reason: 'base', current: { id: second.id, body: 'Turning.' } },
      });
      expect(await bodies({ query: 'tide' })).toEqual(['Turning.']);
      memory.pass(1);
      expect(await review(candidate.id, 'accept', { anyway: true })).toMatchObject({
        superseded: [second.id],
      });
    });

    it('is told the first answer when the call is only a retry', async () => {
      const wish = fact('Retry', 'Once.', { idempotency_key: 'retry-1' });
      const first = await write(wish, agent('a1'));
      expect(await write(wish, agent('a1'))).toEqual(first);
    });
  });

  describe('[MEM-28] a way of doing things that fails or that nobody uses', () => {
    interface Asked {
      readonly id: string;
      readonly summary: string;
      readonly state: string;
    }
    const asked = async (name: string, state = 'pending') =>
      ((await owner().call('list_proposals', { state })) as { proposals: Asked[] }).proposals.filter((one) =>
        one.summary.startsWith(`Keep the procedural memory "${name}"`),
      );
    const report = (id: string, ...outcomes: string[]) =>
      Promise.all(outcomes.map((outcome) => agent('a9').call('memory_update', { id, outcome })));
    const failing = async (name: string) => {
      const { id } = await write(procedure(name, `How to ${name}.`));
      await report(id, 'failure', 'failure');
      expect(await asked(name)).toEqual([]);
      await report(id, 'failure');
      return id;
    };
    const stale = async () => {
      const { tiers } = (await owner().call('memory_stats')) as { tiers: { tier: string; stale: number }[] };
      return tiers.find(({ tier }) => tier === 'procedural')?.stale;
    };

    it('is on the list of proposals after three failures, once, and a yes keeps it', async () => {
      const before = await stale();
      const id = await failing('dig');
      await report(id, 'failure');
      const [one, ...more] = await asked('dig');
      expect(more).toEqual([]);
      expect(one?.summary).toContain('failed 3 times in a row');
      expect(await stale()).toBe((before ?? 0) + 1);
      const otherWords = { id, decision: 'accept', body: 'With another spade.' };
      await expect(owner().call('memory_review', otherWords)).rejects.toMatchObject({
        code: 'invalid_input',
        details: { field: 'body' },
      });
      expect(await owner().call('accept_proposal', { proposal: one?.id })).toMatchObject({ accepted: 1 });
      expect(await read(id)).toMatchObject({ status: 'active', stale: false, failures: 0, failed: 4 });
      expect(await stale()).toBe(before);
      expect(await asked('dig')).toEqual([]);
    });

    it('is forgotten by a no, and what it took over from holds again', async () => {
      const old = await write(procedure('drill', 'By hand.'));
      const fresh = await write(procedure('drill', 'By machine.'));
      await report(fresh.id, 'failure', 'failure', 'failure');
      const [one] = await asked('drill');
      await owner().call('reject_proposal', { proposal: one?.id });
      expect(await read(fresh.id)).toMatchObject({ status: 'trashed' });
      expect(await read(old.id)).toMatchObject({ status: 'active' });
      expect(await asked('drill', 'rejected')).toMatchObject([{ id: one?.id }]);
    });

    it('can be decided about as a memory as well, by a yes, a no or by forgetting it', async () => {
      const [kept, rejected, forgotten] = [
        await failing('saw'),
        await failing('plane'),
        await failing('glue'),
      ];
      expect(await review(kept, 'accept')).toMatchObject({ status: 'active' });
      await expect(review(kept, 'accept')).rejects.toMatchObject({ code: 'not_found' });
      expect(await review(rejected, 'reject')).toMatchObject({ status: 'trashed' });
      await owner().call('memory_forget', { ids: [forgotten] });
      for (const name of ['saw', 'plane', 'glue']) expect(await asked(name)).toEqual([]);
    });

    it('is asked about no longer once it helped, or once something else holds', async () => {
      const id = await failing('weld');
      await report(id, 'success');
      expect(await asked('weld')).toEqual([]);
      await failing('bolt');
      await write(procedure('bolt', 'In another way.'));
      expect(await asked('bolt')).toEqual([]);
      expect(await asked('bolt', 'expired')).toHaveLength(1);
    });

    it('is found by the upkeep when nobody used it for 90 days', async () => {
      const { id } = await write(procedure('rivet', 'Slowly.'));
      const looks = async (dry_run: boolean) =>
        ((await owner().call('memory_consolidate', { dry_run })) as { looks: { id: string }[] }).looks.filter(
          (one) => one.id === id,
        );
      memory.pass(89 * DAY_MS);
      expect(await looks(false)).toEqual([]);
      memory.pass(2 * DAY_MS);
      expect(await looks(true)).toHaveLength(1);
      expect(await asked('rivet')).toEqual([]);
      expect(await looks(false)).toHaveLength(1);
      expect((await asked('rivet'))[0]?.summary).toContain('was not used for at least 90 days');
      expect(await looks(false)).toEqual([]);
    });
  });
});

/** What agents remember waits for a person, on every store. */
import { describe, expect, it } from 'vitest';
import { onEachStore } from '../support/each-store.ts';
import { episode, fact, memoryOn, procedure } from '../support/memory.ts';

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
      await expect(forget(canon.id, 'a1')).rejects.toMatchObject({ code: 'review_required' });
      await expect(agent('a1').call('memory_update', { id: canon.id, body: 'Black.' })).rejects.toMatchObject(
        { code: 'review_required' },
      );
      expect(await forget(mine.id, 'a1')).toMatchObject({ forgotten: [mine.id] });
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
});

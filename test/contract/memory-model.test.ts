/** Random writes, proposals, decisions, supersessions and forgetting against a model that is nothing but lists. */
import { expect, it, vi } from 'vitest';
import { onEachStore } from '../support/each-store.ts';
import { DAY_MS, fact, memoryOn, type WrittenItem } from '../support/memory.ts';
import { type Random, randomFor, soaking, times } from '../support/random.ts';

vi.setConfig({ testTimeout: soaking ? 3_600_000 : 240_000 });

const STEPS = times(150, 3_000);
const SUBJECTS = ['alder', 'birch', 'cedar'];
const WORDS = ['tall', 'short', 'green', 'brown', 'old'];

interface Known {
  readonly id: string;
  readonly subject: string;
  readonly body: string;
  from: number;
  readonly to: number | null;
  readonly writtenAt: number;
  landedAt: number;
  state: 'candidate' | 'reviewed' | 'trashed' | 'rejected';
  trashedAt?: number;
  /** Said to be superseded by another, from when. */
  replaced?: { readonly by: string; readonly at: number };
}

/** What holds at a time, by the definition: of all that began by then and are not over, the one that began last. */
class Model {
  readonly items: Known[] = [];

  line(subject: string): readonly Known[] {
    return this.items
      .filter((item) => item.subject === subject && item.state === 'reviewed')
      .sort((a, b) => a.from - b.from || a.landedAt - b.landedAt || (a.id < b.id ? -1 : 1));
  }

  /** Where an item ends because of the next one that was not over already when it was written. */
  endOf(item: Known): number {
    const declared = item.to ?? Number.POSITIVE_INFINITY;
    if (item.replaced) return Math.min(declared, item.replaced.at);
    const line = this.line(item.subject);
    const next = line
      .slice(line.indexOf(item) + 1)
      .find((later) => later.to === null || later.to > later.writtenAt);
    return Math.min(declared, next?.from ?? Number.POSITIVE_INFINITY);
  }

  holding(subject: string, at: number): readonly string[] {
    return this.line(subject)
      .filter((item) => item.from <= at && this.endOf(item) > at)
      .map(({ id }) => id)
      .sort();
  }

  current(subject: string, at: number): Known | undefined {
    return this.line(subject)
      .toReversed()
      .find((item) => item.from <= at && this.endOf(item) > at);
  }
}

onEachStore('memory against a model', (store) => {
  const memory = memoryOn(store);
  const { write, owner, agent, now, pass } = memory;

  it(`[MEM-20] holds what the model says at every time, after ${STEPS} random steps`, async () => {
    const random = randomFor(`memory on ${store.kind}`);
    const model = new Model();
    for (let step = 0; step < STEPS; step += 1) {
      pass(random.between(1, DAY_MS));
      await random.pick([put, put, put, propose, decide, decide, forget, restore, supersede])(model, random);
      if (step % 5 === 0) await compare(model, random);
    }
    await compare(model, random);
    expect(model.items.length).toBeGreaterThan(STEPS / 8);
  });

  function wish(random: Random) {
    const subject = random.pick(SUBJECTS);
    const from = random.oneIn(3) ? now() + random.between(-30, 10) * DAY_MS : undefined;
    const to = from !== undefined && random.oneIn(2) ? from + random.between(1, 20) * DAY_MS : undefined;
    const times = {
      ...(from !== undefined && { valid_from: new Date(from).toISOString() }),
      ...(to !== undefined && { valid_to: new Date(to).toISOString() }),
    };
    return { subject, body: random.pick(WORDS), from, to: to ?? null, times };
  }

  function note(
    model: Model,
    written: WrittenItem,
    of: ReturnType<typeof wish>,
    state: Known['state'],
  ): void {
    if (written.outcome === 'duplicate') return;
    const { subject, body, from, to } = of;
    model.items.push({
      id: written.id,
      subject,
      body,
      from: from ?? now(),
      to,
      writtenAt: now(),
      landedAt: now(),
      state,
    });
  }

  async function put(model: Model, random: Random): Promise<void> {
    const of = wish(random);
    const same = model.current(of.subject, of.from ?? now() + 1);
    const written = await write(fact(of.subject, of.body, of.times));
    const duplicate = same?.body === of.body && same.to === of.to;
    expect(written.outcome, JSON.stringify(of)).toBe(duplicate ? 'duplicate' : 'written');
    note(model, written, of, 'reviewed');
  }

  async function propose(model: Model, random: Random): Promise<void> {
    const of = wish(random);
    note(model, await write(fact(of.subject, of.body, of.times), agent('a')), of, 'candidate');
  }

  async function decide(model: Model, random: Random): Promise<void> {
    const waiting = model.items.filter(({ state }) => state === 'candidate');
    if (waiting.length === 0) return;
    const item = random.pick(waiting);
    if (random.oneIn(3)) {
      await owner().call('reject_proposal', { proposal: item.id });
      item.state = 'rejected';
      return;
    }
    const current = model.current(item.subject, now());
    await owner().call('accept_proposal', { proposal: item.id, arguments: { anyway: true } });
    if (current?.body === item.body && current.to === item.to) {
      model.items.splice(model.items.indexOf(item), 1);
      return;
    }
    item.state = 'reviewed';
    if (item.from === item.writtenAt) item.from = now();
    item.landedAt = now();
  }

  async function forget(model: Model, random: Random): Promise<void> {
    const live = model.items.filter(({ state }) => state === 'reviewed');
    if (live.length === 0) return;
    const item = random.pick(live);
    await owner().call('memory_forget', { ids: [item.id] });
    item.state = 'trashed';
    item.trashedAt = now();
    delete item.replaced;
    for (const other of model.items) if (other.replaced?.by === item.id) delete other.replaced;
  }

  async function restore(model: Model, random: Random): Promise<void> {
    // What was forgotten longer ago may be gone for good.
    const gone = model.items.filter(
      ({ state, from, trashedAt = 0 }) =>
        state === 'trashed' && from <= now() && now() - trashedAt < 29 * DAY_MS,
    );
    if (gone.length === 0) return;
    const item = random.pick(gone);
    const { lifecycle } = (await owner().call('memory_update', { id: item.id, restore: true })) as {
      lifecycle: string;
    };
    item.state = lifecycle === 'canonical' ? 'reviewed' : 'candidate';
  }

  async function supersede(model: Model, random: Random): Promise<void> {
    const active = SUBJECTS.flatMap((subject) => model.current(subject, now()) ?? []);
    const [old, fresh] = random.shuffle(active);
    if (!old || !fresh) return;
    await owner().call('memory_supersede', { old: old.id, new: fresh.id });
    old.replaced = { by: fresh.id, at: Math.max(old.from, fresh.from) };
  }

  async function compare(model: Model, random: Random): Promise<void> {
    const at = [now(), now() + random.between(-60, 30) * DAY_MS];
    for (const when of at) {
      for (const subject of SUBJECTS) {
        const found = await memory.search({
          query: subject,
          tiers: ['semantic'],
          as_of: new Date(when).toISOString(),
        });
        expect(found.items.map(({ id }) => id).sort(), `${subject} at ${when}`).toEqual(
          model.holding(subject, when),
        );
      }
    }
    const waiting = model.items.filter(({ state }) => state === 'candidate').length;
    const stats = (await owner().call('memory_stats')) as { tiers: { tier: string; candidates: number }[] };
    expect(stats.tiers.find(({ tier }) => tier === 'semantic')?.candidates).toBe(waiting);
  }
});

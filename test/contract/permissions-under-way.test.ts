/** Permissions that change while calls are under way and while others follow what happens. */
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { bindFamily, defineFamily } from '../../src/catalogue/family.ts';
import { defineTool } from '../../src/catalogue/tool-definition.ts';
import { onEachStore } from '../support/each-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import {
  type Answer,
  editorNamed,
  letEditors,
  openWholeApp,
  owner,
  type WholeApp,
} from '../support/whole-app.ts';

/** A read that lasts until the test says so. */
interface Slow {
  begun(): void;
  readonly until: Promise<void>;
}

const slowRead = defineTool({
  name: 'fixture.slow_read',
  title: 'Slow read',
  summary: 'Reads until it is told to end.',
  scopes: [],
  effect: 'read_only',
  example: {},
  input: z.object({}),
  output: z.object({ done: z.boolean() }),
  async handler(use: { current(): Slow }) {
    const slow = use.current();
    slow.begun();
    await slow.until;
    return { done: true };
  },
});

onEachStore('permissions under way', (under) => {
  let whole: WholeApp | undefined;
  let slow: Slow = { begun: () => undefined, until: Promise.resolve() };
  beforeAll(async () => {
    if (!under.available()) return;
    const family = bindFamily(defineFamily('fixture', { tools: [slowRead] }), { current: () => slow });
    whole = await openWholeApp(temporaryFolder(), under.config(), undefined, [family]);
    await letEditors(whole);
  });
  afterAll(() => whole?.app.close());

  const call = (name: string, input: Answer = {}, who = owner): Promise<Answer> =>
    (whole as WholeApp).call(who, name, input);
  const grant = (page: unknown, subject: string, level: string): Promise<Answer> =>
    call('grant_permission', { page, subject_type: 'client', subject, level });

  /** A slow read by somebody, and what ends it. */
  async function readSlowly(name: string): Promise<{ answer: Promise<string>; end(): void }> {
    const [begun, until] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    slow = { begun: begun.resolve, until: until.promise };
    const answer = call('fixture.slow_read', {}, editorNamed(name)).then(
      () => 'answered',
      (error: { code: string }) => error.code,
    );
    await begun.promise;
    return { answer, end: until.resolve };
  }

  it('[PERM-12] answers no read whose caller lost its sight of something meanwhile', async () => {
    const { id } = await call('create_page', { title: 'Taken' });
    const reading = await readSlowly('loser');
    await grant(id, 'loser', 'hidden');
    reading.end();
    expect(await reading.answer).toBe('denied');
    const bystander = await readSlowly('bystander');
    await grant(id, 'loser', 'read');
    await grant(id, 'loser', 'hidden');
    bystander.end();
    expect(await bystander.answer).toBe('answered');
  });

  it('[PERM-12] lands no write behind the moment at which the right to it was taken', async () => {
    const { id } = await call('create_page', { title: 'Raced', content: 'start\n' });
    const racer = editorNamed('racer');
    const writes = Array.from({ length: 30 }, (_, i) =>
      call('update_page_metadata', { page: id, icon: `icon ${i}` }, racer).then(
        () => 'landed',
        (error: { code: string }) => error.code,
      ),
    );
    writes.splice(
      15,
      0,
      grant(id, 'racer', 'hidden').then(() => 'granted'),
    );
    const more = Array.from({ length: 15 }, (_, i) =>
      call('update_page_metadata', { page: id, icon: `late ${i}` }, racer).then(
        () => 'landed',
        (error: { code: string }) => error.code,
      ),
    );
    const outcomes = new Set(await Promise.all([...writes, ...more]));
    expect([...outcomes].filter((outcome) => !['landed', 'granted', 'not_found'].includes(outcome))).toEqual(
      [],
    );
    expect(outcomes).toContain('not_found');
    const { events } = await call('get_page_history', { page: id, limit: 100 });
    const [newest] = events as Answer[];
    expect(newest).toMatchObject({ kind: 'permission_granted' });
  });

  it('[PERM-20] tells nobody of a change to a page that is hidden from it', async () => {
    const secret = String((await call('create_page', { title: 'Quiet', content: 'one' })).id);
    await call('create_page', { title: 'Loud', content: 'one' });
    await grant(secret, 'listener', 'hidden');
    const TREE = 'sluice://workspace/tree';
    const listen = async (who: typeof owner): Promise<string[]> => {
      const heard: string[] = [];
      const opened = await (whole as WholeApp).app.gateway.watch({
        grant: who,
        claims: {},
        source: 'test',
        deliver: (change) => heard.push(change.kind === 'resource' ? change.uri : change.list),
      });
      await opened.follow(TREE);
      return heard;
    };
    const [theirs, ours] = [await listen(editorNamed('listener')), await listen(owner)];
    await allTold([theirs, ours]);
    await call('update_page_metadata', { page: secret, icon: 'x' });
    await expect.poll(() => ours.splice(0)).toEqual([TREE]);
    expect(theirs).toEqual([]);
    await call('update_page_metadata', { page: 'loud', icon: 'x' });
    await expect.poll(() => theirs.splice(0)).toEqual([TREE]);
  });
});

/** A shared database is asked for news a few times a second: what happened before must not be taken for what comes. */
async function allTold(heard: readonly string[][]): Promise<void> {
  for (let quiet = 0; quiet < 5; quiet += 1) {
    const before = heard.flat().length;
    await setTimeout(300);
    if (heard.flat().length !== before) quiet = -1;
  }
  for (const one of heard) one.length = 0;
}

/**
 * A caller tries everything there is to find out about pages that are hidden from it. Two homes differ in nothing but
 * those pages; whatever is asked, they must answer alike, byte for byte.
 */
import { StatementSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../src/gateway/request.ts';
import { onEachStore } from '../support/each-store.ts';
import { otherProbes, type Probe, SPARED, toolProbes, untried } from '../support/leaks/probes.ts';
import { mole, normaliser, SECRET_TITLES, useTwoWorlds, type World } from '../support/leaks/two-worlds.ts';
import { owner } from '../support/whole-app.ts';

/** As pages may be named, whether there is such a page or not. */
const NAMES = [
  ...SECRET_TITLES,
  'salaries',
  'salaries/bonus',
  'Salaries/Bonus',
  'team/ledger',
  'ledger',
  'windfall',
  ...SPARED,
];

/** What an outcome says, without what differs between any two calls. */
const said = (outcome: Outcome): string =>
  JSON.stringify(
    outcome.ok
      ? { answer: outcome.answer }
      : { code: outcome.error.code, message: outcome.error.message, details: outcome.error.details },
  );

onEachStore('a mole', (under) => {
  const worlds = useTwoWorlds(under);

  /** Asks both and compares; names of ids last over all questions. */
  async function compare(probes: readonly Probe[]): Promise<void> {
    const [ours, theirs] = worlds();
    const [here, there] = [normaliser(), normaliser()];
    const different: unknown[] = [];
    for (const { name, target } of probes) {
      const got = here(said(await ours.ask(mole, target)));
      const wanted = there(said(await theirs.ask(mole, target)));
      const at = [...got].findIndex((sign, i) => sign !== wanted[i]);
      const near = (text: string): string => text.slice(Math.max(0, at - 300), at + 300);
      if (got !== wanted) different.push({ name, got: near(got), wanted: near(wanted) });
    }
    expect(different.slice(0, 8), `${different.length} of ${probes.length} answers differ`).toEqual([]);
  }

  it('[PERM-18] leaves no tool untried: a new one has to be put among the probes', () => {
    expect(untried(worlds()[0].app.catalogue)).toEqual([]);
  });

  it('[PERM-18] learns nothing from any tool by any name', async () => {
    await compare(toolProbes(worlds()[0].app.catalogue, NAMES));
  });

  it('[PERM-18] learns nothing from resources, subscriptions, completions and prompts', async () => {
    await compare(otherProbes(worlds()[0].app.catalogue, NAMES));
  });

  it('[PERM-18] is told of the ids of hidden pages what it is told of ids that never were', async () => {
    const [ours, theirs] = worlds();
    const { catalogue } = ours.app;
    const different: unknown[] = [];
    for (const title of SECRET_TITLES) {
      const id = String(ours.ids.get(title));
      const none = '01900000-0000-7000-8000-00000000dead';
      const hidden = [...toolProbes(catalogue, [id]), ...otherProbes(catalogue, [id])];
      const absent = [...toolProbes(catalogue, [none]), ...otherProbes(catalogue, [none])];
      for (const [i, { name, target }] of hidden.entries()) {
        if (!name.includes(id)) continue;
        const got = said(await ours.ask(mole, target)).replaceAll(id, '<id>');
        const wanted = said(await theirs.ask(mole, (absent[i] as Probe).target)).replaceAll(none, '<id>');
        if (normaliser()(got) !== normaliser()(wanted)) different.push({ name, got, wanted });
      }
    }
    expect(different.slice(0, 5), `${different.length} answers differ`).toEqual([]);
  });

  it('[PERM-18] finds no memory that was made from what it may not see', async () => {
    const told = async (world: World): Promise<string> => {
      const name = normaliser();
      const asked: Probe['target'][] = ['semantic', 'episodic', 'procedural', 'working'].map((tier) => ({
        kind: 'resource',
        uri: `sluice://memory/${tier}`,
      }));
      const input = { query: 'dividend met', include_superseded: true };
      const { items } = await world.call(mole, 'memory_search', input);
      const ids = (items as { id: string }[]).map(({ id }) => id);
      expect(ids).toHaveLength(3);
      for (const id of ids) asked.push({ kind: 'tool', name: 'memory_read', arguments: { id } });
      asked.push({ kind: 'tool', name: 'memory_forget', arguments: { ids, dry_run: true } });
      const answers: string[] = [];
      for (const target of asked) answers.push(name(said(await world.ask(mole, target))));
      return answers.join('\n');
    };
    const [ours, theirs] = worlds();
    expect(await told(ours)).toBe(await told(theirs));
  });

  // Statements are counted where they run in this process.
  const inProcess = under.kind === 'sqlite' ? [under.kind] : [];
  describe.each(inProcess)('with a clock on %s', () => {
    it('[PERM-19] cannot tell by the work that a call is', async () => {
      const [ours] = worlds();
      const { catalogue } = ours.app;
      const counted = countStatements();
      try {
        // The least of a few: now and then a call also does what is done for many, in the audit log for example.
        const work = async (target: Probe['target']): Promise<number> => {
          const counts: number[] = [];
          for (let i = 0; i < 3; i += 1) {
            counted.statements = 0;
            await ours.ask(mole, target);
            counts.push(counted.statements);
          }
          return Math.min(...counts);
        };
        const pairs: [string, string][] = [
          [String(ours.ids.get('Salaries')), '01900000-0000-7000-8000-00000000dead'],
          [String(ours.ids.get('Shredded')), '01900000-0000-7000-8000-00000000dead'],
          ['team/ledger/figures', 'team/folder/nowhere'],
          ['figures', 'nowhere'],
        ];
        const all = (name: string): readonly Probe[] => [
          ...toolProbes(catalogue, [name]),
          ...otherProbes(catalogue, [name]),
        ];
        for (const [hidden, absent] of pairs) {
          const without = all(absent);
          for (const [i, { name, target }] of all(hidden).entries()) {
            const same = without[i]?.target;
            // Words are looked for among all texts, and those that are seen hold some of them.
            if (!same || !name.includes(hidden) || (hidden.includes('/') && searches(target))) continue;
            await work(target);
            expect([name, await work(target)]).toEqual([name, await work(same)]);
          }
        }
      } finally {
        counted.stop();
      }
    });
  });

  it('[PERM-18][PERM-13] makes, renames, imports and throws away what hidden pages stand in the way of', async () => {
    const steps: [string, Record<string, unknown>][] = [
      ['create_page', { title: 'Salaries', content: 'mine' }],
      ['create_page', { title: 'Ledger', parent: 'attic', content: 'mine [[Salaries]]' }],
      ['create_page', { title: 'Salaries', content: 'another' }],
      ['rename_page', { page: 'Plans', title: 'Schemes' }],
      ['rename_page', { page: 'team', title: 'Crew' }],
      ['move_page', { page: 'attic', parent: null, position: 1 }],
      ['move_page', { page: 'attic', parent: 'crew', position: 0 }],
      [
        'update_page_content',
        { page: 'minutes', content: 'zebra once, by [[Crew]]; [[team/ledger]]\nmore\n' },
      ],
      ['import_pages', { files: [{ path: 'Salaries/Bonus.md', text: 'mine [[Salaries]]' }] }],
      ['import_pages', { files: [{ path: 'Salaries/Bonus.md', text: 'mine again' }] }],
      ['delete_page', { page: 'crew' }],
      ['list_trash', {}],
    ];
    const [ours, theirs] = worlds();
    const [here, there] = [normaliser(), normaliser()];
    for (const [name, input] of steps) {
      const target = { kind: 'tool', name, arguments: input } as const;
      expect(here(said(await ours.ask(mole, target))), name).toBe(
        there(said(await theirs.ask(mole, target))),
      );
    }
    const batches = async (world: World): Promise<string> =>
      String(((await world.call(mole, 'list_trash')).batches as { batch: string }[])[0]?.batch);
    for (const name of ['restore_page', 'get_page_tree', 'search', 'get_workspace', 'find_broken_links']) {
      const inputOf = async (world: World): Promise<object> =>
        name === 'restore_page'
          ? { batch: await batches(world) }
          : name === 'search'
            ? { query: 'zebra' }
            : {};
      const [one, two] = [
        await ours.ask(mole, { kind: 'tool', name, arguments: await inputOf(ours) }),
        await theirs.ask(mole, { kind: 'tool', name, arguments: await inputOf(theirs) }),
      ];
      expect(here(said(one)), name).toBe(there(said(two)));
    }
    const ledger = await ours.call(owner, 'read_page', { page: ours.ids.get('Ledger') });
    expect(ledger.content).toContain('[[Schemes]]');
    await compare(toolProbes(ours.app.catalogue, ['windfall', 'schemes', 'shredded']));
  });
});

const searches = (target: Probe['target']): boolean =>
  /search|find_contradictions/.test('name' in target ? target.name : JSON.stringify(target));

/** How many statements the database ran. */
function countStatements() {
  const counted = { statements: 0, stop: () => Object.assign(StatementSync.prototype, before) };
  const { all, run, iterate } = StatementSync.prototype;
  const before = { all, run, iterate };
  for (const [name, method] of Object.entries(before)) {
    Object.assign(StatementSync.prototype, {
      [name](this: StatementSync, ...values: never[]) {
        counted.statements += 1;
        return (method as (...given: never[]) => unknown).apply(this, values);
      },
    });
  }
  return counted;
}

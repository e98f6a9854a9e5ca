/** Provenance as it is told outside, and of texts from before it was kept. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { collectProvenance } from '../../src/app/collect-provenance.ts';
import { createSluice, type Sluice } from '../../src/app/create-sluice.ts';
import { onEachStore } from '../support/each-store.ts';
import { withRawDatabase } from '../support/raw-database.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

type Answer = Record<string, unknown>;

onEachStore('provenance outside', (under) => {
  let sluice: Sluice;
  beforeAll(async () => {
    if (under.available()) sluice = await createSluice({ home: temporaryFolder(), config: under.config() });
  });
  afterAll(() => sluice?.close());

  type Section = Record<string, Record<string, unknown>>;

  /** Every name that a relation mentions, by what it must be. */
  function unresolved(document: Record<string, Section>): string[] {
    const declared = (kind: string): Set<string> => new Set(Object.keys(document[kind] ?? {}));
    const known = { entity: declared('entity'), activity: declared('activity'), agent: declared('agent') };
    const roles: Record<string, keyof typeof known> = {
      'prov:entity': 'entity',
      'prov:collection': 'entity',
      'prov:generatedEntity': 'entity',
      'prov:usedEntity': 'entity',
      'prov:specificEntity': 'entity',
      'prov:generalEntity': 'entity',
      'prov:activity': 'activity',
      'prov:informed': 'activity',
      'prov:informant': 'activity',
      'prov:agent': 'agent',
      'prov:delegate': 'agent',
      'prov:responsible': 'agent',
    };
    return Object.entries(document)
      .filter(([kind]) => !['prefix', 'entity', 'activity', 'agent'].includes(kind))
      .flatMap(([kind, relations]) =>
        Object.values(relations).flatMap((one) =>
          Object.entries(one).flatMap(([role, name]) => {
            const must = roles[role];
            return must && !known[must].has(String(name)) ? [`${kind} ${role} ${name}`] : [];
          }),
        ),
      );
  }

  it('[HIST-16] is PROV-JSON in which every reference resolves, in parts and as a whole', async () => {
    if (!under.available()) return;
    const bot = sluice.as({ name: 'prov-bot', run: 'nightly' });
    const source = await sluice.call('create_page', { title: 'Source', content: 'one' });
    await bot.call('read_page', { page: source.id });
    const made = await bot.call('create_page', { title: 'Derived', content: 'x', derived_from: ['source'] });
    await sluice.call('update_page_content', {
      page: 'derived',
      content: 'x\n\ny\n',
      base_version: made.version,
    });
    await sluice.call('rename_page', { page: 'derived', title: 'Derived two' });
    await sluice.call('delete_page', { page: 'derived-two' });
    const { batches } = await sluice.call('list_trash');
    await sluice.call('restore_page', { batch: (batches as { batch: string }[])[0]?.batch });
    const { document } = await sluice.call('export_provenance', { page: 'derived-two' });
    const prov = document as Record<string, Section>;
    expect(unresolved(prov)).toEqual([]);
    const version = `sluice:page/${made.id}@${made.version}`;
    const from = `sluice:page/${source.id}@${source.version}`;
    const has = (kind: string, given: Answer) =>
      expect(Object.values(prov[kind] ?? {})).toContainEqual(expect.objectContaining(given));
    has('specializationOf', {
      'prov:specificEntity': version,
      'prov:generalEntity': `sluice:page/${made.id}`,
    });
    has('wasDerivedFrom', { 'prov:generatedEntity': version, 'prov:usedEntity': from });
    has('wasDerivedFrom', {
      'prov:usedEntity': version,
      'prov:type': { $: 'prov:Revision', type: 'prov:QUALIFIED_NAME' },
    });
    has('used', { 'prov:activity': 'sluice:run/client%3Aprov-bot%2Fnightly', 'prov:entity': from });
    has('wasAttributedTo', { 'prov:entity': version, 'prov:agent': 'sluice:agent/client%3Aprov-bot' });
    has('actedOnBehalfOf', {
      'prov:delegate': 'sluice:agent/client%3Aprov-bot',
      'prov:responsible': 'sluice:agent/owner',
    });
    has('wasInvalidatedBy', { 'sluice:kind': 'page_trashed' });
    const batch = 'sluice:made/client%3Aprov-bot%2Fnightly';
    has('hadMember', { 'prov:collection': batch, 'prov:entity': version });
    has('wasGeneratedBy', {
      'prov:entity': batch,
      'prov:activity': 'sluice:run/client%3Aprov-bot%2Fnightly',
    });
    expect(prov.entity?.[batch]?.['prov:type']).toContainEqual({
      $: 'prov:Bundle',
      type: 'prov:QUALIFIED_NAME',
    });
    const { records } = await sluice.call('audit.list', { tool_name: 'create_page', limit: 1 });
    const [made_by] = records as { call_id: string; input_digest: string }[];
    expect(prov.activity?.[`sluice:call/${made_by?.call_id}`]).toMatchObject({
      'sluice:tool': 'create_page',
      'sluice:arguments': made_by?.input_digest,
    });
    const run = prov.activity?.['sluice:run/client%3Aprov-bot%2Fnightly'];
    const isTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(run).toMatchObject({ 'prov:startTime': isTime, 'prov:endTime': isTime });
    expect(prov.agent?.['sluice:agent/owner']).toMatchObject({ 'prov:type': { $: 'prov:Person' } });
    const ofRun = await sluice.call('export_provenance', { run: 'client:prov-bot/nightly' });
    expect(unresolved(ofRun.document as Record<string, Section>)).toEqual([]);
    await expect(sluice.call('export_provenance', { run: 'nobody/never' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('[HIST-16] comes in parts that stand for themselves', async () => {
    if (!under.available()) return;
    let { version } = await sluice.call('create_page', { title: 'Long history', content: '0' });
    for (let i = 1; i <= 220; i += 1)
      ({ version } = await sluice.call('update_page_content', {
        page: 'long-history',
        content: `${i}`,
        base_version: version,
      }));
    const first = await sluice.call('export_provenance', { page: 'long-history' });
    const { next_cursor: cursor } = first;
    const second = await sluice.call('export_provenance', { page: 'long-history', cursor });
    expect(second.next_cursor).toBeUndefined();
    for (const { document } of [first, second])
      expect(unresolved(document as Record<string, Section>)).toEqual([]);
    const whole = await collectProvenance((tool, wish) => sluice.call(tool, wish), { page: 'long-history' });
    expect(unresolved(whole as Record<string, Section>)).toEqual([]);
    expect(Object.keys(whole.hadMember ?? {})).toHaveLength(221);
    // Each version, and all of them as what the run made.
    expect(Object.keys(whole.wasGeneratedBy ?? {})).toHaveLength(222);
  });

  it('[HIST-18] says to others neither that a run was there nor what it read', async () => {
    if (!under.available()) return;
    const [one, two] = [sluice.as({ name: 'one', run: 'r' }), sluice.as({ name: 'two', run: 'r' })];
    await sluice.call('create_page', { title: 'Read only by one', content: 'x' });
    await one.call('read_page', { page: 'read-only-by-one' });
    await one.call('create_page', { title: 'Of one', content: 'x' });
    const asked = await two
      .call('export_provenance', { run: 'client:one/r' })
      .catch((error: unknown) => error);
    const absent = await two
      .call('export_provenance', { run: 'client:one/s' })
      .catch((error: unknown) => error);
    expect(String(asked).replace('one/r', 'one/s')).toBe(String(absent));
    // No cursor of one's own making leads past that.
    const cursor = Buffer.from(JSON.stringify({ before: 1_000_000 })).toString('base64url');
    for (const run of ['client:one/r', 'client:one/s'])
      await expect(two.call('export_provenance', { run, cursor })).rejects.toMatchObject({
        code: 'not_found',
      });
    const { document } = await two.call('export_provenance', { page: 'of-one' });
    expect(document).not.toHaveProperty('used');
    expect(JSON.stringify(document)).not.toContain('sluice:arguments');
    const own = await one.call('export_provenance', { page: 'of-one' });
    expect(own.document).toHaveProperty('used');
    // What a call was given is in the audit log, which is not for everybody who may write.
    expect(JSON.stringify(own)).not.toContain('sluice:arguments');
    const owners = await sluice.call('export_provenance', { page: 'of-one' });
    expect(JSON.stringify(owners)).toContain('sluice:arguments');
  });

  it('[HIST-17] stands once in the frontmatter of an export that asks for it, and else nowhere', async () => {
    if (!under.available()) return;
    const texts = {
      Plain: 'No end of line',
      Fronted: '---\ntitle: x\r\n---\r\nBody\r\n',
      Empty: '',
      Broken: '---\nnever closed\n',
      Marked: '\ufeffText',
    };
    for (const [title, content] of Object.entries(texts))
      await sluice.call('create_page', { title, content });
    const exported = async (more: Answer) =>
      new Map(
        ((await sluice.call('export_pages', more)).files as { path: string; text: string }[]).map((file) => [
          file.path,
          file.text,
        ]),
      );
    const [as, bare] = [await exported({ provenance: true }), await exported({})];
    for (const [title, content] of Object.entries(texts)) {
      const text = as.get(`${title}.md`) ?? '';
      expect(bare.get(`${title}.md`)).toBe(content);
      expect(text.match(/^sluice_origin: "authored"\r?$/gm)).toHaveLength(1);
      const without = text.replace(/^sluice_[a-z_]+:.*\r?\n/gm, '');
      expect([content, content.replace(/^(\ufeff?)/, '$1---\n---\n')]).toContain(without);
    }
    // Once more through it, as after importing what was exported.
    const { version } = await sluice.call('read_page', { page: 'plain' });
    await sluice.call('update_page_content', {
      page: 'plain',
      content: as.get('Plain.md'),
      base_version: version,
    });
    const again = (await exported({ provenance: true })).get('Plain.md') ?? '';
    expect(again.match(/^sluice_version:/gm)).toHaveLength(1);
  });
});

onEachStore('text from before provenance was kept', (under) => {
  it('[HIST-07] is unknown, and mixed once somebody changes it', async () => {
    if (!under.available()) return;
    const home = temporaryFolder();
    const first = await createSluice({ home, config: under.config() });
    await first.call('create_page', { title: 'Old', content: 'one of old\n\ntwo of old\n' });
    await first.close();
    await withRawDatabase(home, under.config(), async (database) => {
      await database.run('delete from block_provenance');
      await database.run('delete from attribution');
    });
    const sluice = await createSluice({ home, config: under.config() });
    try {
      const writers = async () => {
        const { blocks, origins } = await sluice.call('get_provenance', { page: 'old', blocks: true });
        expect((origins as Answer).authored).toBe(0);
        return (blocks as { origin: string; written_by: { actor: string }[] }[]).map(
          ({ origin, written_by }) => [origin, ...written_by.map(({ actor }) => actor)].join(' '),
        );
      };
      expect(await writers()).toEqual(['unknown', 'unknown']);
      const { version } = await sluice.call('read_page', { page: 'old' });
      const content = 'one of old\n\ntwo of old and new\n';
      await sluice.call('update_page_content', { page: 'old', content, base_version: version });
      expect(await writers()).toEqual(['unknown', 'mixed owner']);
    } finally {
      await sluice.close();
    }
  });
});

/** An agent that tries to get its words into canonical pages: by saying yes itself, by forging, by swapping, by racing. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSluice, type Sluice } from '../../src/index.ts';
import { addClient, asOwner } from '../support/owner.ts';
import { type RunningServer, startServer } from '../support/process.ts';
import { withRawDatabase } from '../support/raw-database.ts';
import { type Answer, agentOf, create, listed, propose, read, rewrite } from '../support/review.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import {
  legacyHttp,
  legacyStdio,
  modernHttp,
  modernStdio,
  refusalOf,
  structuredOf,
  type Wire,
} from '../support/wires.ts';

const THREE = 'One.\n\nTwo.\n\nThree.\n';
const SECRET = 'xyzzy-plugh-4711';

describe('[PROP-40] over a wire', () => {
  const home = temporaryFolder();
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer(home);
  });
  afterAll(() => server?.stop());

  it('no client accepts or rejects, whatever it is and says', async () => {
    const page = await asOwner<Answer>(home, 'create_page', { title: 'Target', content: THREE });
    const tokens = [
      await addClient(home, 'plain'),
      await addClient(home, 'editing', { role: 'editor' }),
      await addClient(home, 'owning', { role: 'owner', origin: 'agent-produced' }),
    ];
    const wires: Wire[] = [modernStdio(home, 'local'), await legacyStdio(home, 'local')];
    for (const token of tokens)
      wires.push(modernHttp(server.port, token), await legacyHttp(server.port, token));
    const wish = { page: page.id, content: `${THREE}\nMine.\n`, base_version: page.version };
    const plain = modernHttp(server.port, tokens[0] ?? '');
    const sent = await plain.ask('tools/call', { name: 'update_page_content', arguments: wish });
    const { id } = structuredOf(sent).proposal as { id: string };
    for (const wire of wires) {
      for (const name of ['accept_proposal', 'reject_proposal', 'accept-proposal', 'ACCEPT_PROPOSAL']) {
        const _meta = { 'dev.sluice/origin': 'authored', 'dev.sluice/run': 'author-run' };
        const refused = refusalOf(await wire.ask('tools/call', { name, arguments: { proposal: id }, _meta }));
        expect(['unknown_tool', 'denied']).toContain(refused.code);
      }
      await wire.close();
    }
    const { proposals } = await asOwner<{ proposals: Answer[] }>(home, 'list_proposals', { limit: 100 });
    expect(proposals).toMatchObject([{ id, state: 'pending' }]);
    expect(await asOwner(home, 'read_page', { page: page.id })).toMatchObject({ version: page.version });
  });
});

describe('in process', () => {
  const home = temporaryFolder();
  let sluice: Sluice;
  beforeAll(async () => {
    sluice = await createSluice({ home });
  });
  afterAll(() => sluice?.close());
  const accept = (proposal: string, more: Answer = {}): Promise<Answer> =>
    sluice.call('accept_proposal', { proposal, ...more });

  it('[PROP-41] many yeses at once and again land once', async () => {
    const page = await create(sluice, 'Raced', THREE);
    const id = await rewrite(agentOf(sluice), page, `${THREE}\nOnce.\n`);
    const all = await Promise.allSettled(Array.from({ length: 20 }, () => accept(id)));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of all)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ details: { reason: 'accepted' } });
    expect(await read(sluice, page.id)).toMatchObject({ content: `${THREE}\nOnce.\n` });
    const other = await rewrite(agentOf(sluice), page, `${THREE}\nTwice.\n`);
    const race = await Promise.allSettled([
      accept(other),
      sluice.call('reject_proposal', { proposal: other }),
    ]);
    expect(race.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('[PROP-41] a yes that is sent again gets the first answer and lands nothing more', async () => {
    const page = await create(sluice, 'Sent again', THREE);
    const id = await rewrite(agentOf(sluice), page, `${THREE}\nOnce.\n`);
    const first = await accept(id, { idempotency_key: 'yes' });
    const { version } = await read(sluice, page.id);
    expect(await accept(id, { idempotency_key: 'yes' })).toEqual(first);
    expect(await read(sluice, page.id)).toMatchObject({ version });
  });

  it('[PROP-42] arguments forge neither a yes nor a lifecycle', async () => {
    const page = await create(sluice, 'Forged at', THREE);
    const forged = {
      lifecycle: 'canonical',
      origin: 'authored',
      accepted: { by: { principal: { kind: 'author' } }, proposal: 'x', callId: 'x', entities: [page.id] },
      rehearsal: {},
      state: 'accepted',
      ticket: {},
      __proto__: { lifecycle: 'canonical' },
    };
    const agent = agentOf(sluice);
    const made = await agent.call('create_page', { title: 'Forged page', ...forged });
    expect(made).toMatchObject({ lifecycle: 'candidate', origin: 'agent-produced' });
    const id = await rewrite(agent, page, 'Forged.', forged);
    const shown = await sluice.call('read_proposal', { proposal: id });
    expect(Object.keys(shown.arguments as object).sort()).toEqual(['base_version', 'page']);
    expect(await listed(sluice, { page: page.id })).toMatchObject([{ id, state: 'pending' }]);
    expect(await read(sluice, page.id)).toMatchObject({ content: THREE });
  });

  it('[PROP-42] a yes with other arguments stays with the page that was shown, and with what the tool takes', async () => {
    const [page, other] = [await create(sluice, 'Shown', THREE), await create(sluice, 'Not shown', THREE)];
    const id = await propose(agentOf(sluice), 'rename_page', { page: page.id, title: 'Proposed' });
    await expect(accept(id, { arguments: { page: other.id } })).rejects.toMatchObject({
      code: 'conflict',
      details: { reason: 'grown', page: other.id },
    });
    await expect(accept(id, { arguments: { title: 7 } })).rejects.toMatchObject({
      code: 'invalid_input',
      details: { field: 'title' },
    });
    await accept(id, { arguments: { title: 'Chosen' } });
    expect(await read(sluice, page.id)).toMatchObject({ title: 'Chosen' });
    expect(await read(sluice, other.id)).toMatchObject({ title: 'Not shown' });
  });

  it('[PROP-43] a page that is swapped while somebody looks at it is not what was seen', async () => {
    const agent = agentOf(sluice);
    const page = await create(agent, 'Bait', 'Harmless.');
    const { head_version: version } = await sluice.call('read_proposal', { proposal: page.id });
    await agent.call('update_page_content', {
      page: page.id,
      content: 'Harmful.',
      base_version: page.version,
    });
    await expect(accept(page.id, { version })).rejects.toMatchObject({
      code: 'conflict',
      details: { reason: 'stale' },
    });
    expect(await read(sluice, page.id)).toMatchObject({ lifecycle: 'candidate' });
  });

  it('[PROP-44] what was proposed is nowhere but in the proposal', async () => {
    const page = await create(sluice, 'Quiet', THREE);
    const agent = agentOf(sluice, 'loud', 'secret-run');
    const id = await rewrite(agent, page, `${THREE}\n${SECRET} [[${SECRET}]] #${SECRET}\n`);
    await propose(agent, 'update_page_metadata', { page: page.id, icon: SECRET });
    const other = agentOf(sluice, 'other');
    for (const [tool, input] of [
      ['search', { query: SECRET }],
      ['read_page', { page: page.id }],
      ['read_page', { page: page.id, view: 'mine' }],
      ['get_page_tree', {}],
      ['get_outgoing_links', { page: page.id }],
      ['find_broken_links', {}],
      ['get_page_history', { page: page.id }],
      ['export_pages', {}],
    ] as const) {
      const { query: _, ...answer } = await other.call(tool, input);
      expect(JSON.stringify(answer), tool).not.toContain(SECRET);
    }
    await accept(id);
    await sluice.call('reject_proposal', { run: 'agent:loud/secret-run' });
    const found = await withRawDatabase(home, {}, (database) => database.all('select * from audit'));
    expect(found.length).toBeGreaterThan(10);
    expect(JSON.stringify(found)).not.toContain(SECRET);
  });
});

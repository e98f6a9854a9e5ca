/** Proposals while they wait for somebody: as their maker sees them, and until they expire. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createSluice, type Sluice } from '../../src/app/create-sluice.ts';
import { expireProposals, startRetention } from '../../src/app/retention.ts';
import { createGovernanceState } from '../../src/domain/governance/governance-state.ts';
import type { Proposal } from '../../src/domain/workspace/proposals/proposal.ts';
import type { Clock } from '../../src/kernel/clock.ts';
import type { CallId, ProposalId } from '../../src/kernel/ids.ts';
import { silentLog } from '../../src/kernel/log.ts';
import { AGENT } from '../support/direct-domain.ts';
import { onEachStore } from '../support/each-store.ts';
import { type Answer, agentOf, create, listed, propose, read, rewrite } from '../support/review.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { addWorkspace, openTestStore } from '../support/test-store.ts';

const THREE = 'One.\n\nTwo.\n\nThree.\n';
const DAY_MS = 24 * 60 * 60 * 1000;

onEachStore('a proposal that waits', (under) => {
  let sluice: Sluice;
  let shift = 0;
  const clock: Clock = { now: () => Date.now() + shift };
  beforeAll(async () => {
    const config = { ...under.config(), 'proposals.expire_after_days': 2 };
    if (under.available()) sluice = await createSluice({ home: temporaryFolder(), config, clock });
  });
  afterAll(() => sluice?.close());

  const mine = (as: { call: Sluice['call'] }, page: string, more: Answer = {}): Promise<Answer> =>
    as.call('read_page', { page, view: 'mine', ...more });

  describe('[PROP-22] is part of its maker’s own view', () => {
    it('with all that fits, and of nobody else’s', async () => {
      const [ann, bob] = [agentOf(sluice, 'ann'), agentOf(sluice, 'bob')];
      const page = await create(sluice, 'Seen', THREE);
      const first = await rewrite(ann, page, 'One!\n\nTwo.\n\nThree.\n');
      const second = await propose(ann, 'edit_page', {
        page: page.id,
        edits: [{ op: 'replace_text', find: 'Three.', text: 'Three!' }],
      });
      const clashing = await rewrite(ann, page, 'One?\n\nTwo.\n\nThree.\n');
      await sluice.call('update_page_content', {
        page: page.id,
        content: 'One.\n\nTwo of the author.\n\nThree.\n',
        base_version: page.version,
      });
      const head = await read(ann, page.id);
      expect(await mine(ann, page.id)).toMatchObject({
        content: 'One!\n\nTwo of the author.\n\nThree!\n',
        version: head.version,
        pending: { proposals: [first, second], left_out: [clashing] },
      });
      expect(await mine(bob, page.id)).toMatchObject({
        content: head.content,
        pending: { proposals: [], left_out: [] },
      });
      expect(head).not.toHaveProperty('pending');
      await sluice.call('reject_proposal', { proposal: first });
      expect(await mine(ann, page.id)).toMatchObject({
        pending: { proposals: [second, clashing], left_out: [] },
      });
    });

    it('in parts that are of one text', async () => {
      const ann = agentOf(sluice, 'ann');
      const long = Array.from({ length: 40 }, (_, i) => `Paragraph ${i} with some words in it.\n`).join('\n');
      const page = await create(sluice, 'Long seen', long);
      await rewrite(ann, page, `${long}\nLast.\n`);
      let [content, cursor]: [string, unknown] = ['', undefined];
      do {
        const part = await mine(ann, page.id, { max_tokens: 100, ...(cursor !== undefined && { cursor }) });
        content += String(part.content);
        cursor = part.next_cursor;
      } while (cursor !== undefined);
      expect(content).toBe(`${long}\nLast.\n`);
      const begun = await mine(ann, page.id, { max_tokens: 100 });
      await rewrite(ann, page, `First.\n\n${long}`);
      await expect(mine(ann, page.id, { cursor: begun.next_cursor })).rejects.toMatchObject({
        code: 'conflict',
        details: { field: 'cursor' },
      });
      await expect(mine(ann, page.id, { version: page.version })).rejects.toMatchObject({
        code: 'invalid_input',
        details: { field: 'version' },
      });
    });
  });

  it('[PROP-23][PROP-14] expires after its days, and a new page does not', async () => {
    const agent = agentOf(sluice, 'late');
    const page = await create(sluice, 'Expiring', THREE);
    const id = await rewrite(agent, page, `${THREE}\nFour.\n`);
    const candidate = await create(agent, 'Patient');
    const [entry] = await listed(sluice, { page: page.id });
    expect(Date.parse(String(entry?.expires_at)) - Date.parse(String(entry?.created_at))).toBe(2 * DAY_MS);
    shift = 2 * DAY_MS + 60_000;
    expect(await listed(sluice, { page: page.id })).toEqual([]);
    expect(await listed(sluice, { page: page.id, state: 'expired' })).toMatchObject([
      { id, state: 'expired' },
    ]);
    expect(await sluice.call('read_proposal', { proposal: id })).toMatchObject({ state: 'expired' });
    for (const tool of ['accept_proposal', 'reject_proposal'])
      await expect(sluice.call(tool, { proposal: id })).rejects.toMatchObject({
        code: 'conflict',
        details: { reason: 'expired' },
      });
    await expect(sluice.call('accept_proposal', { run: String(entry?.run) })).resolves.toMatchObject({
      accepted: 1,
      outcomes: [{ proposal: candidate.id }],
    });
    expect(await mine(agent, page.id)).toMatchObject({ content: THREE });
    expect(await read(sluice, page.id)).toMatchObject({ version: page.version });
    shift = 0;
  });

  it('[PROP-23] expires as well when it came by an import', async () => {
    const bring = async (text: string): Promise<Answer> => {
      const { files } = await sluice.call('import_pages', {
        files: [{ path: 'Brought.md', text }],
        canonical: text === THREE,
      });
      return (files as Answer[])[0] as Answer;
    };
    const { page } = await bring(THREE);
    const { proposal } = await bring(`${THREE}\nFour.\n`);
    expect(await listed(sluice, { page })).toMatchObject([{ id: proposal }]);
    shift = 2 * DAY_MS + 60_000;
    expect(await listed(sluice, { page })).toEqual([]);
    shift = 0;
  });

  it('[PROP-23] is written down as expired by the job that keeps house', async () => {
    const test = await openTestStore(under, temporaryFolder());
    const { store, clock: set } = test;
    const workspace = await addWorkspace(test, 'kept');
    const of = (id: string, expiresAt: number | null): Proposal => ({
      id: id as ProposalId,
      workspace,
      page: null,
      op: 'x',
      arguments: {},
      concerns: [],
      sources: [],
      text: null,
      origin: 'agent-produced',
      by: {
        principal: AGENT.principal,
        role: 'agent',
        credential: AGENT.credential,
        run: AGENT.context.run,
        thread: null,
        call: 'c' as CallId,
      },
      summary: '',
      overlaps: false,
      state: 'pending',
      createdAt: 1,
      expiresAt,
      decided: null,
    });
    await store.units.write({ workspace }, async (tx) => {
      for (const one of [of('past', set.now()), of('future', set.now() + 1), of('never', null)])
        await store.proposals.insert(tx, [one]);
    });
    expect(await expireProposals({ store, clock: set })).toBe(1);
    expect(await expireProposals({ store, clock: set })).toBe(0);
    const kept = await store.units.read((scope) => store.proposals.list(scope, workspace, { now: 0 }, 10));
    expect(kept.map(({ id, state }) => [id, state]).sort()).toEqual([
      ['future', 'pending'],
      ['never', 'pending'],
      ['past', 'expired'],
    ]);
    set.pass(1);
    const { ids, keys } = test;
    const governance = await createGovernanceState({ units: store.units, store: store.governance });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const stop = startRetention({ store, governance, clock: set, ids, log: silentLog, writer: keys.writer });
    vi.advanceTimersByTime(2 * 60 * 1000);
    vi.useRealTimers();
    await stop();
    const future = await store.units.read((scope) =>
      store.proposals.find(scope, workspace, 'future' as ProposalId),
    );
    expect(future?.state).toBe('expired');
    await test.close();
  });
});

/** Approvals on both stores: for any tool that asks for one, used once, bounded, and forgotten in time. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ownerGrant } from '../../src/app/local-grants.ts';
import { MAX_WAITING } from '../../src/domain/governance/approvals/approval.ts';
import type { Grant } from '../../src/domain/governance/credentials.ts';
import type { ApprovalId, CredentialId, PrincipalId } from '../../src/kernel/ids.ts';
import { onEachStore } from '../support/each-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { UNLIMITED } from '../support/unlimited.ts';
import { bindWaiting, failing } from '../support/waiting-family.ts';
import { openWholeApp, type WholeApp } from '../support/whole-app.ts';

const owner = ownerGrant('admin');
const client = (name: string): Grant => ({
  ...owner,
  credential: `test:${name}` as CredentialId,
  principal: { kind: 'client', id: `client:${name}` as PrincipalId, name },
  role: 'client',
  origin: 'agent-produced',
  surface: 'in-process',
});

onEachStore('approvals', (under) => {
  const ran: string[] = [];
  let now = Date.UTC(2026, 0, 1);
  let whole: WholeApp | undefined;
  const open = async (home: string): Promise<WholeApp> =>
    openWholeApp(home, { ...UNLIMITED, ...under.config() }, { now: () => now }, [
      bindWaiting({ ran: (tool) => ran.push(tool) }),
    ]);
  beforeAll(async () => {
    if (under.available()) whole = await open(temporaryFolder());
  });
  afterAll(() => whole?.app.close());

  const bot = client('bot');
  const ask = async (
    tool: string,
    input: Record<string, unknown>,
    who = bot,
    run = 'test',
  ): Promise<Record<string, unknown>> => {
    const outcome = await (whole as WholeApp).ask(who, { kind: 'tool', name: tool, arguments: input }, run);
    return outcome.ok ? { code: 'done' } : outcome.error.toWire();
  };
  const decide = (id: unknown, decision = 'APPROVED_ONCE', who = owner) =>
    (whole as WholeApp).call(who, 'approval.decide', { id, decision, reason: 'a test' });
  const list = async (input: Record<string, unknown> = {}) =>
    (await (whole as WholeApp).call(owner, 'approval.list', input)).approvals as Record<string, unknown>[];

  it.each(['waiting.look', 'waiting.write', 'waiting.act'])(
    '[APPR-07] make %s wait, which has nothing to do with providers',
    async (tool) => {
      ran.length = 0;
      const { code, approval } = await ask(tool, { text: 'a' });
      expect([code, ran]).toEqual(['DELEG_APPROVAL_REQUIRED', []]);
      await decide(approval);
      const all = await Promise.all(Array.from({ length: 8 }, () => ask(tool, { text: 'a' })));
      expect(all.filter((one) => one.code === 'done')).toHaveLength(1);
      expect(ran).toEqual([tool]);
    },
  );

  it.each(['waiting.look', 'waiting.write', 'waiting.act'])(
    '[APPR-08] stay good when %s failed before anything happened',
    async (tool) => {
      const input = { text: `fails ${tool}`, fails: true };
      await decide((await ask(tool, input)).approval);
      failing.add(input.text);
      expect(await ask(tool, input)).toMatchObject({ code: 'unavailable' });
      expect(await ask(tool, input)).toMatchObject({ code: 'done' });
      expect(await ask(tool, input)).toMatchObject({ code: 'DELEG_APPROVAL_REQUIRED' });
    },
  );

  it('[APPR-03] show no value that its name gives away as a credential', async () => {
    const { approval } = await ask('waiting.act', { text: 'a', secret: 'open sesame' });
    const shown = await (whole as WholeApp).call(owner, 'approval.read', { id: approval });
    expect(shown).toMatchObject({ masked: true });
    expect(JSON.stringify(shown)).not.toContain('sesame');
  });

  it('[APPR-20] go on with a call that asks for something after its yes, and only once', async () => {
    ran.length = 0;
    const { gateway } = (whole as WholeApp).app;
    const ask = (resume?: { answers: Record<string, unknown>; state?: string }) =>
      gateway.call({
        target: { kind: 'tool', name: 'waiting.curious', arguments: { text: 'q' } },
        presented: { kind: 'grant', grant: bot },
        claims: { run: 'test' },
        source: 'test',
        abilities: ['form'],
        ...(resume && { resume }),
      });
    const first = await ask();
    if (first.ok) throw new Error('It was not asked for');
    await decide(first.error.details.approval);
    const second = await ask();
    if (!second.ok || second.answer.kind !== 'question') throw new Error('It asked for nothing');
    const resume = { answers: { name: 'Ada' }, state: second.answer.state };
    const all = await Promise.all([ask(resume), ask(resume), ask(resume)]);
    expect(all.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await ask(resume)).toMatchObject({ ok: false, error: { code: 'DELEG_APPROVAL_REQUIRED' } });
    expect(ran).toEqual(['waiting.curious']);
  });

  it('[APPR-09] may be given for a run only where the policy says so, and then for that run and tool alone', async () => {
    const first = await ask('waiting.act', { text: 's1' }, bot, 'one');
    await expect(decide(first.approval, 'APPROVED_FOR_SESSION')).rejects.toMatchObject({ code: 'denied' });
    await (whole as WholeApp).call(owner, 'approval.set_policy', { for_session: true });
    const again = await ask('waiting.act', { text: 's1' }, bot, 'one');
    await decide(again.approval, 'APPROVED_FOR_SESSION');
    for (const text of ['s1', 's2', 's1'])
      expect(await ask('waiting.act', { text }, bot, 'one')).toMatchObject({ code: 'done' });
    expect(await ask('waiting.act', { text: 's1' }, bot, 'two')).toMatchObject({
      code: 'DELEG_APPROVAL_REQUIRED',
    });
    expect(await ask('waiting.look', { text: 's1' }, bot, 'one')).toMatchObject({
      code: 'DELEG_APPROVAL_REQUIRED',
    });
    const other = await ask('waiting.act', { text: 's1' }, client('other'), 'one');
    expect(other).toMatchObject({ code: 'DELEG_APPROVAL_REQUIRED' });
    await (whole as WholeApp).call(owner, 'approval.set_policy', { for_session: false });
    expect(await ask('waiting.act', { text: 's3' }, bot, 'one')).toMatchObject({
      code: 'DELEG_APPROVAL_REQUIRED',
    });
  });

  it('[APPR-12] are decided by nobody but a person with the right', async () => {
    const { approval } = await ask('waiting.act', { text: 'judge' });
    const agent: Grant = {
      ...owner,
      principal: { ...owner.principal, kind: 'agent' },
      origin: 'agent-produced',
    };
    const program: Grant = { ...owner, principal: { ...owner.principal, kind: 'client' } };
    const unsure: Grant = { ...owner, origin: 'agent-produced' };
    for (const who of [agent, program, unsure])
      await expect(decide(approval, 'APPROVED_ONCE', who)).rejects.toMatchObject({ code: 'denied' });
    await expect(decide(approval, 'APPROVED_ONCE', bot)).rejects.toMatchObject({ code: 'unknown_tool' });
    await expect(decide('nothing')).rejects.toMatchObject({ code: 'not_found' });
    expect(await decide(approval, 'REJECTED')).toMatchObject({ state: 'rejected', decided_by: 'owner' });
  });

  it('[APPR-13] of one caller are so many and no more, and make room when they expire', async () => {
    const busy = client('busy');
    for (let i = 0; i < MAX_WAITING; i += 1)
      expect(await ask('waiting.act', { text: `${i}` }, busy)).toMatchObject({
        code: 'DELEG_APPROVAL_REQUIRED',
      });
    expect(await ask('waiting.act', { text: 'one more' }, busy)).toMatchObject({ code: 'rate_limited' });
    expect(await ask('waiting.act', { text: '3' }, busy)).toMatchObject({ code: 'DELEG_APPROVAL_REQUIRED' });
    expect(await ask('waiting.act', { text: 'other' }, client('calm'))).toMatchObject({
      code: 'DELEG_APPROVAL_REQUIRED',
    });
    now += 15 * 60_000;
    expect(await list({ state: 'pending' })).toEqual([]);
    expect(await ask('waiting.act', { text: 'one more' }, busy)).toMatchObject({
      code: 'DELEG_APPROVAL_REQUIRED',
    });
  });

  it('[APPR-14] are listed newest first, page by page', async () => {
    const ids: unknown[] = [];
    let cursor: string | undefined;
    do {
      const page = await (whole as WholeApp).call(owner, 'approval.list', {
        limit: 20,
        ...(cursor !== undefined && { cursor }),
      });
      ids.push(...(page.approvals as { id: string }[]).map(({ id }) => id));
      cursor = page.next_cursor as ApprovalId | undefined;
    } while (cursor !== undefined);
    expect(ids.length).toBeGreaterThan(MAX_WAITING);
    expect(ids).toEqual([...new Set(ids)].toSorted().reverse());
    expect((await list({ kind: 'postfirewall' })).length).toBe(0);
  });
});

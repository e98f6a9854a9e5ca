/** What the domain refuses to whoever calls it, the pipeline or not. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPage } from '../../src/domain/workspace/create-page.ts';
import type { Page } from '../../src/domain/workspace/page.ts';
import { openReview } from '../../src/domain/workspace/proposals/review.ts';
import { renamePage } from '../../src/domain/workspace/rename-page.ts';
import { revisePage } from '../../src/domain/workspace/revise-page.ts';
import { trashPage } from '../../src/domain/workspace/trash-page.ts';
import { AcceptedCall, acceptCall, type KeptCall } from '../../src/kernel/accepted-call.ts';
import type { CallId, PageId, ProposalId, WorkspaceId } from '../../src/kernel/ids.ts';
import type { Scope } from '../../src/kernel/scopes.ts';
import type { Submission } from '../../src/kernel/submission.ts';
import { type LandTicket, requireTicket } from '../../src/kernel/ticket.ts';
import { AGENT, AUTHOR, directDomain } from '../support/direct-domain.ts';
import { onEachStore } from '../support/each-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { addWorkspace, openTestStore, type TestStore } from '../support/test-store.ts';

onEachStore('the domain, called directly,', (under) => {
  const folder = temporaryFolder();
  let test: TestStore;
  let workspace: WorkspaceId;
  let domain: ReturnType<typeof directDomain>;
  beforeAll(async () => {
    if (!under.available()) return;
    test = await openTestStore(under, folder);
    workspace = await addWorkspace(test, 'one');
    domain = directDomain(test, workspace);
  });
  afterAll(() => test?.close());

  const create = (title: string, given: Partial<Submission> = {}, caller = AUTHOR): Promise<Page> =>
    domain.write(domain.submission(caller, given), (ticket) =>
      createPage(domain.use, ticket, { title, content: title }),
    );
  const revise = (page: Page, given: Submission): Promise<unknown> =>
    domain.write(given, (ticket) =>
      revisePage(domain.use, ticket, { page: page.id, content: 'changed', baseVersion: page.version }),
    );
  const stored = (page: Page) =>
    test.store.units.read((scope) => test.store.pages.find(scope, workspace, page.id));
  const events = () =>
    test.store.units.read((scope) => test.store.events.ofWorkspace(scope, workspace, 1_000, 0));

  describe('[PROP-30] without a fitting ticket', () => {
    it('changes nothing', async () => {
      const page = await create('Locked');
      const given = domain.submission(AUTHOR);
      const tickets: readonly unknown[] = [undefined, {}, { tx: {}, submission: given }];
      for (const ticket of tickets)
        await expect(trashPage(domain.use, ticket as LandTicket, page.id)).rejects.toMatchObject({
          code: 'internal',
        });
      const spent = domain.write(given, async (ticket) => {
        requireTicket(ticket, 'page', 'land');
        return trashPage(domain.use, ticket, page.id);
      });
      await expect(spent).rejects.toThrow('spent twice');
      const other = domain.write(domain.submission(AUTHOR, { kind: 'review' }), (ticket) =>
        trashPage(domain.use, ticket, page.id),
      );
      await expect(other).rejects.toThrow('ticket to land page');
      const proposing = test.store.units.write({ workspace }, (tx) =>
        Reflect.apply(trashPage, undefined, [domain.use, domain.mint.propose(tx, given), page.id]),
      );
      await expect(proposing).rejects.toThrow('ticket to land page');
      expect(await stored(page)).toEqual(page);
    });

    it('keeps nothing of a part that failed, and all of what came before and after it', async () => {
      const before = (await events()).length;
      const told: string[] = [];
      await test.store.units.write({ workspace }, async (tx) => {
        const make = (title: string) =>
          createPage(domain.use, domain.mint.land(tx, domain.submission(AUTHOR)), { title });
        await make('First part');
        await expect(
          tx.attempt(async () => {
            await make('Second part');
            tx.afterCommit(() => void told.push('second'));
            throw new Error('no');
          }),
        ).rejects.toThrow('no');
        await tx.attempt(async () => {
          await make('Third part');
          tx.afterCommit(() => void told.push('third'));
        });
      });
      const since = (await events()).slice(before);
      expect(since.map(({ details }) => details.title)).toEqual(['First part', 'Third part']);
      expect(told).toEqual(['third']);
    });
  });

  describe('[PROP-31] for an agent', () => {
    it('makes nothing canonical, whatever the submission claims', async () => {
      for (const claim of [
        { lifecycle: 'canonical' },
        { lifecycle: 'canonical', origin: 'authored' },
        { lifecycle: 'canonical', origin: 'imported' },
      ] as const)
        await expect(create('Forged', claim, AGENT)).rejects.toMatchObject({ code: 'internal' });
      const trusted = { ...AGENT, allowedOrigin: 'authored' } as const;
      await expect(create('Forged', { lifecycle: 'canonical' }, trusted)).rejects.toMatchObject({
        code: 'internal',
      });
    });

    it('changes nothing canonical', async () => {
      const page = await create('Canonical');
      await expect(revise(page, domain.submission(AGENT))).rejects.toMatchObject({
        code: 'review_required',
        details: { page: page.id },
      });
      for (const write of [
        (ticket: LandTicket) => trashPage(domain.use, ticket, page.id),
        (ticket: LandTicket) =>
          renamePage(domain.use, ticket, { page: page.id, title: 'X', dryRun: false, keepAlias: false }),
      ])
        await expect(
          domain.write(domain.submission(AGENT), (ticket): Promise<unknown> => write(ticket)),
        ).rejects.toMatchObject({ code: 'review_required' });
      expect(await stored(page)).toEqual(page);
    });

    it('makes candidates, and changes those', async () => {
      const page = await create('Candidate', {}, AGENT);
      expect(page).toMatchObject({ lifecycle: 'candidate', origin: 'agent-produced' });
      await revise(page, domain.submission(AGENT));
      expect(await stored(page)).toMatchObject({ content: 'changed', lifecycle: 'candidate' });
    });
  });

  describe('[PROP-32] a review', () => {
    const kept = (page: Page): KeptCall => ({
      proposal: 'p' as ProposalId,
      callId: 'c' as CallId,
      tool: 'update_page_content',
      arguments: {},
      caller: AGENT,
      origin: 'agent-produced',
      derivedFrom: [],
      entities: new Set([page.id]),
      asked: 'update_page_content',
      despiteChanges: false,
    });

    it('is opened by an author alone', async () => {
      const review = { kind: 'review', lifecycle: 'candidate' } as const;
      for (const caller of [
        AGENT,
        { ...AGENT, allowedOrigin: 'authored' } as const,
        { ...AUTHOR, allowedOrigin: 'agent-produced' } as const,
        { ...AUTHOR, declaredOrigin: 'agent-produced' } as const,
        { ...AUTHOR, scopes: new Set<Scope>(['workspace.write']) },
        { ...AUTHOR, principal: { ...AUTHOR.principal, kind: 'client' } } as const,
      ]) {
        const given = domain.submission(caller, { ...review, origin: 'agent-produced' });
        await expect(domain.write(given, async (ticket) => openReview(ticket))).rejects.toMatchObject({
          code: 'denied',
        });
      }
    });

    it('alone gives a call that is carried out', async () => {
      const page = await create('Reviewed');
      await domain.write(domain.submission(AUTHOR), async (ticket) => {
        const landing = requireTicket(ticket, 'page', 'land');
        expect(() => acceptCall(landing, kept(page))).toThrow('no author accepted');
        expect(() => AcceptedCall.open({}, landing.tx)).toThrow('no author accepted');
      });
      const other = await domain.write(domain.submission(AUTHOR, { kind: 'review' }), async (ticket) =>
        acceptCall(openReview(ticket), kept(page)),
      );
      await domain.write(domain.submission(AUTHOR), async (ticket) => {
        const { tx } = requireTicket(ticket, 'page', 'land');
        expect(() => AcceptedCall.open(other, tx)).toThrow('no author accepted');
      });
    });

    it('is no way for somebody who is no author, and touches what was agreed to', async () => {
      const [page, another] = [await create('Agreed'), await create('Not agreed')];
      const yes = {
        by: AUTHOR,
        proposal: 'p' as ProposalId,
        callId: 'c' as CallId,
        entities: new Set([page.id as string]),
      };
      const accepted = domain.submission(AGENT, { lifecycle: 'canonical', accepted: yes });
      await expect(revise(another, accepted)).rejects.toMatchObject({
        code: 'conflict',
        details: { reason: 'grown', page: another.id },
      });
      await expect(revise(page, { ...accepted, accepted: { ...yes, by: AGENT } })).rejects.toMatchObject({
        code: 'internal',
      });
      await revise(page, accepted);
      expect(await stored(page)).toMatchObject({ content: 'changed', origin: 'authored' });
      const last = (await events()).at(-1);
      expect(last).toMatchObject({
        origin: 'agent-produced',
        principalName: 'bot',
        details: { accepted: { by: 'owner' } },
      });
    });
  });

  describe('[PROP-33] a source', () => {
    it('exists, here, at that version', async () => {
      const source = await create('Source');
      const elsewhere = directDomain(test, await addWorkspace(test, `other ${under.kind}`));
      const foreign = await elsewhere.write(elsewhere.submission(AUTHOR), (ticket) =>
        createPage(elsewhere.use, ticket, { title: 'Foreign' }),
      );
      for (const wrong of [
        { id: 'nothing', version: 'v' },
        { id: source.id, version: 'v1.never' },
        { id: foreign.id, version: foreign.version },
      ]) {
        const derivedFrom = [{ kind: 'page', ...wrong } as const];
        await expect(create('Derived', { derivedFrom })).rejects.toMatchObject({
          code: 'not_found',
          details: { field: 'derived_from' },
        });
        await expect(revise(source, domain.submission(AUTHOR, { derivedFrom }))).rejects.toMatchObject({
          code: 'not_found',
        });
      }
      const derivedFrom = [{ kind: 'page', id: source.id, version: source.version } as const];
      const made = await create('Derived', { derivedFrom });
      expect(await test.store.units.read((scope) => test.store.events.sourcesOf(scope, made.id))).toEqual(
        derivedFrom,
      );
    });

    it('is there where content is derived', async () => {
      await expect(create('From nothing', { derived: true })).rejects.toThrow('names no source');
    });
  });

  it('[PROP-34] takes no origin above the caller’s, nor above what it declares', async () => {
    await expect(create('Too good', { origin: 'authored' }, AGENT)).rejects.toThrow('agent-produced at most');
    const modest = { ...AUTHOR, declaredOrigin: 'imported' } as const;
    await expect(create('Too good', { origin: 'authored' }, modest)).rejects.toThrow('imported at most');
    await expect(create('Too good', { origin: 'agent-produced' }, modest)).rejects.toThrow(
      'imported at most',
    );
    const page = await create('Modest', { origin: 'imported', lifecycle: 'draft' }, modest);
    expect(page).toMatchObject({ origin: 'imported', lifecycle: 'draft' });
  });

  it('[PROP-35] rewrites links without a review, and whose the page is stays', async () => {
    const target = await create('Target');
    const linking = await domain.write(domain.submission(AGENT), (ticket) =>
      createPage(domain.use, ticket, { title: 'Linking', content: 'To [[Target]].' }),
    );
    await domain.write(domain.submission(AUTHOR), (ticket) =>
      renamePage(domain.use, ticket, { page: target.id, title: 'Aim', dryRun: false, keepAlias: false }),
    );
    expect(await stored(linking)).toMatchObject({
      content: 'To [[Aim]].',
      origin: 'agent-produced',
      lifecycle: 'candidate',
    });
  });

  it('[PROP-36] lands with its event and its proposal, or not at all', async () => {
    const before = await events();
    const id = await domain
      .write(domain.submission(AGENT), async (ticket) => {
        const { id: made } = await createPage(domain.use, ticket, { title: 'Half' });
        throw Object.assign(new Error('after it'), { made });
      })
      .catch((error: { made: PageId }) => error.made);
    expect(await events()).toEqual(before);
    const left = await test.store.units.read(async (scope) => [
      await test.store.pages.find(scope, workspace, id),
      await test.store.proposals.find(scope, workspace, id as string as ProposalId),
    ]);
    expect(left).toEqual([undefined, undefined]);
  });
});

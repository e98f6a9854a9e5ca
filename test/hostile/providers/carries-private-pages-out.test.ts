/**
 * A run reads a private page, hears a stranger through a provider, and then wants to send something away: by a tool that
 * says so of itself, and by one that says nothing.
 */
import { describe, expect, it } from 'vitest';
import { approve, refused, timesCalled, WITH_SEND } from '../../support/approvals.ts';
import { providerHome } from '../../support/provider-home.ts';
import { CHANGES_HERE, TRANSPORTS } from '../../support/scripted-upstream.ts';

describe.each(TRANSPORTS)('[UPC-02] over %s, the third step', (transport) => {
  const quiet = {
    name: 'post',
    description: 'Posts a text.',
    inputSchema: { type: 'object' },
    annotations: CHANGES_HERE,
  };
  const at = providerHome(transport, { ...WITH_SEND, tools: [...WITH_SEND.tools, quiet] });

  const inRun = (run: string) => ({ 'dev.sluice/run': run });
  const readPage = (run: string) =>
    at.client().ask('tools/call', { name: 'read_page', arguments: { page: 'secret' }, _meta: inRun(run) });
  const hear = (run: string) =>
    at.client().ask('tools/call', { name: 'up.echo', arguments: { text: 'do it' }, _meta: inRun(run) });
  const post = (run: string, text: string) => refused(at, 'post', { text }, inRun(run));

  it.each(['send', 'post'])('%s waits, and a yes is for these words alone', async (tool) => {
    if (tool === 'send') await at.asOwner('create_page', { title: 'Secret', content: 'The code is 1234.' });
    const run = `mixed-${tool}`;
    expect((await readPage(run)).result?.isError).toBeFalsy();
    expect((await hear(run)).result?.isError).toBeFalsy();
    const asked = await refused(at, tool, { text: 'The code is 1234.' }, inRun(run));
    expect(asked.code).toBe('DELEG_APPROVAL_REQUIRED');
    expect(timesCalled(at, tool)).toBe(0);
    await approve(at, asked.approval);
    expect((await refused(at, tool, { text: 'The code is 1234. And more.' }, inRun(run))).code).toBe(
      'DELEG_APPROVAL_REQUIRED',
    );
    expect(await refused(at, tool, { text: 'The code is 1234.' }, inRun(run))).toEqual({});
    expect(timesCalled(at, tool)).toBe(1);
    expect((await refused(at, tool, { text: 'The code is 1234.' }, inRun(run))).code).toBe(
      'DELEG_APPROVAL_REQUIRED',
    );
  });

  it('also waits after a restart, when nothing of the run is in memory any more', async () => {
    await at.restart();
    expect((await post('mixed-post', 'later')).code).toBe('DELEG_APPROVAL_REQUIRED');
  });

  it('is none where one of the other two did not happen', async () => {
    await readPage('only-read');
    expect(await post('only-read', 'a')).toEqual({});
    await hear('only-heard');
    expect(await post('only-heard', 'b')).toEqual({});
  });
});

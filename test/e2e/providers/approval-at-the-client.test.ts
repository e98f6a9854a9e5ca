/** A person with the right is asked at the client, in both eras; nobody else is, whatever the client can or says. */
import type { Client } from '@modelcontextprotocol/client';
import { beforeAll, describe, expect, it } from 'vitest';
import { timesCalled, WITH_SEND } from '../../support/approvals.ts';
import { askableClient, connectHttp, type Era } from '../../support/mcp-clients.ts';
import { addClient } from '../../support/owner.ts';
import { providerHome } from '../../support/provider-home.ts';
import type { RpcMessage } from '../../support/raw-http.ts';
import { modernHttp, refusalOf } from '../../support/wires.ts';

const at = providerHome('stdio', WITH_SEND);
let person: string;
let program: string;
beforeAll(async () => {
  person = await addClient(at.home, 'ann', { role: 'owner', origin: 'authored' });
  program = await addClient(at.home, 'bot');
});

/** Answers every question in this way, and remembers what it was asked. */
async function clientThat(
  answer: unknown,
  token: string,
  era: Era,
): Promise<{ client: Client; asked: string[] }> {
  const asked: string[] = [];
  const client = askableClient(era);
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    asked.push(params.message);
    return answer as { action: 'accept' };
  });
  return { client: await connectHttp(at.server().url, token, era, client), asked };
}

const send = async (client: Client, text: string): Promise<string> =>
  JSON.stringify(await client.callTool({ name: 'up.send', arguments: { to: 'ann', text } }));

describe.each<Era>(['modern', 'legacy'])('[APPR-05] over a %s client', (era) => {
  it('a yes goes on with the call, once', async () => {
    const { client, asked } = await clientThat({ action: 'accept', content: { approve: true } }, person, era);
    const before = timesCalled(at, 'send');
    expect(await send(client, `yes ${era}`)).toContain(`yes ${era}`);
    expect(asked).toEqual([expect.stringContaining(`{"to":"ann","text":"yes ${era}"}`)]);
    expect(timesCalled(at, 'send')).toBe(before + 1);
    await client.close();
  });

  it.each([
    ['no', { action: 'accept', content: { approve: false } }],
    ['nothing to do with it', { action: 'decline' }],
  ])('%s is a no, which stays one', async (what, answer) => {
    const { client, asked } = await clientThat(answer, person, era);
    const before = timesCalled(at, 'send');
    expect(await send(client, `${what} ${era}`)).toContain('DELEG_APPROVAL_REJECTED');
    expect(await send(client, `${what} ${era}`)).toContain('DELEG_APPROVAL_REJECTED');
    expect(asked).toHaveLength(1);
    expect(timesCalled(at, 'send')).toBe(before);
    await client.close();
  });

  it('a program that would say yes to itself is not asked', async () => {
    const { client, asked } = await clientThat(
      { action: 'accept', content: { approve: true } },
      program,
      era,
    );
    expect(await send(client, `program ${era}`)).toContain('DELEG_APPROVAL_REQUIRED');
    expect(asked).toEqual([]);
    await client.close();
  });
});

describe('[APPR-06] an answer by hand', () => {
  const yes = { approval: { action: 'accept', content: { approve: true } } };
  const meta = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } } };
  const call = (token: string, text: string, more: Record<string, unknown> = {}): Promise<RpcMessage> =>
    modernHttp(at.server().port, token).ask('tools/call', {
      name: 'up.send',
      arguments: { text },
      _meta: meta,
      ...more,
    });

  it('without a question counts for nothing', async () => {
    const { result } = await call(person, 'unasked', { inputResponses: yes });
    expect(result?.resultType).toBe('input_required');
    expect(refusalOf(await call(program, 'unasked', { inputResponses: yes })).code).toBe(
      'DELEG_APPROVAL_REQUIRED',
    );
  });

  it('with a question that was answered is asked again', async () => {
    const before = timesCalled(at, 'send');
    const { result } = await call(person, 'twice');
    const answered = { inputResponses: yes, requestState: String(result?.requestState) };
    expect(JSON.stringify(await call(person, 'twice', answered))).toContain('twice');
    expect((await call(person, 'twice', answered)).result?.resultType).toBe('input_required');
    expect(timesCalled(at, 'send')).toBe(before + 1);
  });

  it('of a person who says that a program speaks is none', async () => {
    const origin = { ...meta, 'dev.sluice/origin': 'agent-produced' };
    const asked = await call(person, 'program', { _meta: origin });
    expect(refusalOf(asked).code).toBe('DELEG_APPROVAL_REQUIRED');
  });
});

/** Tries to go on with a call by a state that was changed, stolen, or left for another call. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWithConformance } from '../conformance/fixture/server.ts';
import { auditHead, auditRecords } from '../support/audit.ts';
import type { FixtureServer } from '../support/fixture-server.ts';
import { addClient } from '../support/owner.ts';
import type { RpcMessage } from '../support/raw-http.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { modernHttp, type Wire } from '../support/wires.ts';

const home = temporaryFolder();
let server: FixtureServer;
let owner: Wire;
let thief: Wire;
beforeAll(async () => {
  server = await startWithConformance(home);
  owner = modernHttp(server.port, await addClient(home, 'asked'));
  thief = modernHttp(server.port, await addClient(home, 'thief'));
});
afterAll(() => server.close());

const NAME = 'test_input_required_result_request_state';
const meta = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } };
const answers = { confirm: { action: 'accept', content: { ok: true } } };

const ask = (wire: Wire, further: Record<string, unknown> = {}): Promise<RpcMessage> =>
  wire.ask('tools/call', { name: NAME, arguments: {}, _meta: meta, ...further });

async function leave(wire: Wire): Promise<string> {
  const { result } = await ask(wire);
  expect(result?.resultType).toBe('input_required');
  return String(result?.requestState);
}

const resume = (wire: Wire, requestState: string, further: Record<string, unknown> = {}) =>
  ask(wire, { inputResponses: answers, requestState, ...further });

describe('[PROTO-07] a state that was left with one call', () => {
  it('goes on with that call', async () => {
    const { result } = await resume(owner, await leave(owner));
    expect(result?.content).toEqual([{ type: 'text', text: 'state-ok' }]);
  });

  it.each<[string, (state: string) => Promise<RpcMessage>]>([
    ['changed at its end', (state) => resume(owner, `${state.slice(0, -2)}AA`)],
    [
      'changed in the middle',
      (state) =>
        resume(
          owner,
          state.replace(/(?<=.{40})./, (c) => (c === 'A' ? 'B' : 'A')),
        ),
    ],
    ['cut short', (state) => resume(owner, state.slice(0, 20))],
    ['made up', () => resume(owner, 'sealed-v1.AAAA')],
    ['empty', () => resume(owner, '')],
    ['of another caller', (state) => resume(thief, state)],
    ['with other arguments', (state) => resume(owner, state, { arguments: { more: 1 } })],
    [
      'for another tool',
      (state) => resume(owner, state, { name: 'test_input_required_result_tampered_state' }),
    ],
  ])('opens nothing when it is %s', async (_what, forge) => {
    const head = await auditHead(home);
    const { error, result } = await forge(await leave(owner));
    expect(result).toBeUndefined();
    expect(error).toMatchObject({ code: -32602, data: { code: 'invalid_request', field: 'requestState' } });
    const refused = await auditRecords(home, { decision: 'deny' }, head);
    expect(refused.map(({ gate }) => gate)).toEqual(['request_state']);
  });

  it('tells nothing of what is in it', async () => {
    const state = await leave(owner);
    expect(Buffer.from(state.split('.')[1] ?? '', 'base64url').toString('latin1')).not.toContain('asked');
  });
});

/** What a provider says while nobody asks, and while a call takes its time; over both transports and in both eras. */
import { describe, expect, it } from 'vitest';
import { modernRequest } from '../../support/mcp-clients.ts';
import { addClient } from '../../support/owner.ts';
import { providerHome } from '../../support/provider-home.ts';
import { messagesIn, openSocket, rawRequest, renderRequest } from '../../support/raw-http.ts';
import { BENIGN, echoTool, TRANSPORTS } from '../../support/scripted-upstream.ts';
import { until } from '../../support/timing.ts';

const slow = { ...echoTool, name: 'slow' };
const kinds = TRANSPORTS.flatMap((transport) => [false, true].map((modern) => ({ transport, modern })));

describe.each(kinds)('over $transport, newer protocol: $modern', ({ transport, modern }) => {
  const script = { ...BENIGN, tools: [echoTool, slow], delays: { slow: 300 }, modern };
  const at = providerHome(transport, script);
  const asked = (method: string) =>
    at
      .upstream()
      .requests()
      .filter((message) => message.method === method);

  it('[PRES-08] progress comes to the caller that asked for it', async () => {
    const token = await addClient(at.home, 'patient');
    const params = { name: 'up.slow', arguments: {}, _meta: { progressToken: 'mine' } };
    const { body, headers } = modernRequest('tools/call', params);
    const answer = await rawRequest(at.server().port, {
      headers: [['Authorization', `Bearer ${token}`], ...Object.entries(headers)],
      body: JSON.stringify(body),
    });
    const [first, last] = messagesIn(answer.body);
    expect(first?.params).toEqual({ progressToken: 'mine', progress: 1, total: 2 });
    expect(last?.result).toMatchObject({ content: [{ text: '{}' }] });
  });

  it('[PRES-08] a call that is given up is given up there as well', async () => {
    at.upstream().become({ ...script, delays: { slow: 20_000 } });
    const token = await addClient(at.home, 'hasty');
    const before = asked('tools/call').length;
    const { body, headers } = modernRequest('tools/call', { name: 'up.slow', arguments: {} });
    const socket = await openSocket(at.server().port);
    socket.write(
      renderRequest(at.server().port, {
        headers: [['Authorization', `Bearer ${token}`], ...Object.entries(headers)],
        body: JSON.stringify(body),
      }),
    );
    await until(() => asked('tools/call').length > before);
    const id = asked('tools/call').at(-1)?.id;
    socket.destroy();
    await until(() =>
      at
        .upstream()
        .requests()
        .some((message) =>
          // Closing the request is how the newer protocol says it over HTTP.
          transport === 'http' && modern
            ? message.gaveUp === id
            : message.method === 'notifications/cancelled' &&
              (message.params as { requestId?: unknown }).requestId === id,
        ),
    );
    at.upstream().become(script);
    // And nobody else's: the connection stays the same.
    const met = asked('server/discover').length;
    expect(await at.call('echo', { text: 'on' })).toBe('{"text":"on"}');
    expect(asked('server/discover')).toHaveLength(met);
  });

  it('[PRES-07] it is held as soon as it says that it changed, without a call', async () => {
    // Who is not connected is looked at when somebody calls.
    await at.call('echo');
    const changed = { ...echoTool, description: 'Says something else.' };
    const looked = asked('tools/list').length;
    at.upstream().become({ ...script, announces: 1 });
    // It said so and is the same: it is looked at, and goes on.
    await until(() => asked('tools/list').length > looked);
    expect(await at.inspect()).toMatchObject({ state: 'READY' });
    const calls = asked('tools/call').length;
    at.upstream().become({ ...script, tools: [changed, slow], announces: 2 });
    await until(async () => (await at.inspect()).state === 'QUARANTINED');
    expect(await at.inspect()).toMatchObject({ reason_code: 'drift', drift: [{ name: 'echo' }] });
    expect(await at.listed()).toEqual([]);
    expect(asked('tools/call')).toHaveLength(calls);
  });
});

/** A provider that cannot be reached stays listed, and every list says so until it is reached again. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { connectHttp, type Era } from '../../support/mcp-clients.ts';
import { addClient } from '../../support/owner.ts';
import { runSluice } from '../../support/process.ts';
import { type ProviderHome, providerHome } from '../../support/provider-home.ts';
import { BENIGN, TRANSPORTS, type Transport } from '../../support/scripted-upstream.ts';
import { legacyHttp, modernHttp, structuredOf, type Wire } from '../../support/wires.ts';

const SCRIPT = {
  ...BENIGN,
  prompts: [{ name: 'weekly' }],
  resources: [{ uri: 'note:///one', name: 'One' }],
  resourceTemplates: [{ uriTemplate: 'note:///{id}', name: 'Any' }],
};
const SINCE = expect.stringMatching(/^\d{4}-.*Z$/);
const patient = { timeout: 30_000, interval: 50 };

type Listed = { readonly name: string; readonly _meta?: Readonly<Record<string, unknown>> };

/** The marks of everything of the provider that lists show. */
async function marks(wire: Wire): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for (const [method, key] of [
    ['tools/list', 'tools'],
    ['prompts/list', 'prompts'],
    ['resources/list', 'resources'],
    ['resources/templates/list', 'resourceTemplates'],
  ] as const) {
    const all = ((await wire.ask(method)).result?.[key] ?? []) as Listed[];
    for (const { name, _meta } of all) {
      const mark = _meta?.['dev.sluice/stale'];
      if (name.startsWith('up.')) found.push(mark);
      else expect(mark).toBeUndefined();
    }
  }
  return found;
}

async function breakOff(at: ProviderHome, transport: Transport): Promise<void> {
  if (transport === 'http') await at.upstream().close();
  else {
    // It ends when it finds no script, and does not start without one.
    rmSync(join(at.home, 'upstream-stdio.json'));
    await expect.poll(async () => (await at.inspect()).processes.length, patient).toBe(0);
  }
}

async function mend(at: ProviderHome, transport: Transport): Promise<void> {
  if (transport === 'http') await at.upstream().restart();
  else at.upstream().become(SCRIPT);
}

/** Back when it hears what changes: the stream of a session opens by itself. */
async function listen(at: ProviderHome, client: Client, era: Era): Promise<Set<string>> {
  const heard = new Set<string>();
  client.setNotificationHandler('notifications/tools/list_changed', () => void heard.add('tools'));
  client.setNotificationHandler('notifications/prompts/list_changed', () => void heard.add('prompts'));
  client.setNotificationHandler('notifications/resources/list_changed', () => void heard.add('resources'));
  if (era === 'modern')
    await client.listen({ toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true });
  const look = async (): Promise<boolean> => {
    for (const enabled of [false, true]) await at.asOwner('set_tool_enabled', { tool: 'read_page', enabled });
    return heard.has('tools');
  };
  await expect.poll(look, patient).toBe(true);
  return heard;
}

/** That every list changed; those of prompts and resources do by nothing else here. */
async function hearsOfAll(heard: Set<string>): Promise<void> {
  await expect.poll(() => heard.size, patient).toBe(3);
  heard.clear();
}

describe.each(TRANSPORTS)('a provider over %s that is gone', (transport) => {
  const at = providerHome(transport, SCRIPT);
  const connect = async (era: Era) => {
    const client = await connectHttp(`http://127.0.0.1:${at.server().port}/mcp`, at.token(), era);
    return { client, heard: await listen(at, client, era) };
  };
  const untilStale = async (): Promise<void> => {
    for (let i = 0; i < 3; i += 1) expect(await at.call('echo', { text: 'x' })).toMatch(/^DELEG_/);
  };

  it('[PROV-07] is listed with a mark in both eras, which are told of it and of its end', async () => {
    const wires = [at.client(), await legacyHttp(at.server().port, at.token())];
    const listeners = [await connect('modern'), await connect('legacy')];
    expect(await at.call('echo', { text: 'x' })).toBe('{"text":"x"}');
    for (const wire of wires) expect(await marks(wire)).toEqual([undefined, undefined, undefined, undefined]);

    await breakOff(at, transport);
    await untilStale();
    for (const wire of wires) expect(await marks(wire)).toEqual(Array(4).fill({ since: SINCE }));
    for (const { heard } of listeners) await hearsOfAll(heard);
    expect(await at.asOwner('provider.list')).toMatchObject({ providers: [{ id: 'up', stale: true }] });
    const shown = await runSluice(at.home, ['provider', 'inspect', 'up']);
    expect(shown.stdout).toMatch(/READY \(stale\)/);
    expect(shown.stdout).toMatch(/not reached since +\d{4}-/);

    await mend(at, transport);
    await expect.poll(() => at.call('echo', { text: 'x' }), patient).toBe('{"text":"x"}');
    for (const wire of wires) expect(await marks(wire)).toEqual([undefined, undefined, undefined, undefined]);
    for (const { heard } of listeners) await hearsOfAll(heard);
    for (const { client } of listeners) await client.close();
  });

  it('[PROV-07] is found and described with the mark by who has a short list', async () => {
    const short = await addClient(at.home, 'short', { cap: 5 });
    const wire = modernHttp(at.server().port, short);
    const ask = async (name: string, input: object) =>
      structuredOf(await wire.ask('tools/call', { name, arguments: input }));
    const found = () => ask('tools_search', { query: 'says what it was told', limit: 25 });
    expect((await found()).matches).toContainEqual(expect.not.objectContaining({ stale_since: SINCE }));
    await breakOff(at, transport);
    await untilStale();
    const { matches } = (await found()) as { matches: { name: string; stale_since?: string }[] };
    for (const { name, stale_since } of matches)
      expect(stale_since).toEqual(name === 'up.echo' ? SINCE : undefined);
    expect(await ask('tools_describe', { names: ['up.echo', 'read_page'] })).toMatchObject({
      tools: [{ stale_since: SINCE }, expect.not.objectContaining({ stale_since: SINCE })],
    });
    await mend(at, transport);
    await at.asOwner('provider.discover', { id: 'up' });
    expect(await at.asOwner('provider.list')).toMatchObject({ providers: [{ stale: false }] });
    // A person who reached it need not wait for the time in which nobody tries.
    expect(await at.call('echo', { text: 'x' })).toBe('{"text":"x"}');
  });
});

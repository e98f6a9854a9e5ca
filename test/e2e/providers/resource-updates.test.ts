/** That a resource of a provider changed comes to those who follow it, in all eras and over both transports. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectHttp, type Era } from '../../support/mcp-clients.ts';
import { addClient, asOwner } from '../../support/owner.ts';
import { type RunningServer, startServer } from '../../support/process.ts';
import { providerHome } from '../../support/provider-home.ts';
import { type ListeningUpstream, listen, REAL_UPSTREAMS } from '../../support/real-upstreams.ts';
import type { ScriptedUpdates } from '../../support/scripted-updates.ts';
import { BENIGN, type Script, TRANSPORTS } from '../../support/scripted-upstream.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/timing.ts';

const NOTE = 'note:///today';
const OTHER = 'note:///other';
const HIDDEN = 'note:///hidden';
interface Told {
  readonly uri?: string;
  readonly requestId?: unknown;
  readonly notifications?: { readonly resourceSubscriptions?: readonly string[] };
}
const addressOf = (uri: string, id = 'up'): string => `sluice-provider://${id}/${uri}`;

/** A client, what it was told so far, and how it follows and gives up. */
async function follower(url: string, token: string, era: Era) {
  const client = await connectHttp(url, token, era);
  const told: string[] = [];
  client.setNotificationHandler(
    'notifications/resources/updated',
    ({ params }) => void told.push(params.uri),
  );
  let stream: Awaited<ReturnType<Client['listen']>> | undefined;
  return {
    client,
    told,
    async follow(...uris: string[]) {
      if (era === 'legacy') for (const uri of uris) await client.subscribeResource({ uri });
      else stream = await client.listen({ resourceSubscriptions: uris });
    },
    async giveUp(uri: string) {
      if (era === 'legacy') await client.unsubscribeResource({ uri });
      else await stream?.close();
    },
  };
}

const kinds = TRANSPORTS.flatMap((transport) => [false, true].map((modern) => ({ transport, modern })));

describe.each(kinds)('[PRES-12] over $transport, newer protocol: $modern', ({ transport, modern }) => {
  const changes: Record<string, number> = { [NOTE]: 0, [OTHER]: 0, [HIDDEN]: 0 };
  const script = (updates: Partial<ScriptedUpdates> = {}): Script => ({
    ...BENIGN,
    modern,
    resources: [NOTE, OTHER, HIDDEN].map((uri) => ({ uri, name: uri.slice(8) })),
    // It says so of everything, whoever follows what.
    updates: { changes: { ...changes }, shouts: true, ...updates },
  });
  const at = providerHome(transport, script(), false);
  beforeAll(() =>
    at.asOwner('provider.review', {
      id: 'up',
      admit: ['echo'],
      admit_resources: [NOTE, OTHER],
      trust: 'CONTROLLED_LOCAL',
      reason: 'a test',
    }),
  );
  const change = (...uris: string[]): void => {
    for (const uri of uris) changes[uri] = (changes[uri] ?? 0) + 1;
    at.upstream().become(script());
  };
  /** Says it again and again: the stream of a session opens by itself, and what is said before is not heard. */
  const changesUntil = (uri: string, isTold: () => boolean): Promise<void> =>
    until(async () => {
      change(uri);
      await new Promise((resolve) => setTimeout(resolve, 250));
      return isTold();
    });
  /** Streams that ended with the server are not given up by anybody. */
  let sinceRestart = 0;
  /** What the server was told last, by whatever words of its protocol. */
  const followedThere = (): string[] => {
    const followed = new Map<unknown, readonly string[]>();
    for (const { id, method, params, gaveUp } of at.upstream().requests().slice(sinceRestart)) {
      const { uri = '', requestId, notifications = {} } = (params ?? {}) as Told;
      if (method === 'initialize' || method === 'server/discover') followed.clear();
      if (method === 'resources/subscribe') followed.set(uri, [uri]);
      if (method === 'resources/unsubscribe') followed.delete(uri);
      if (notifications.resourceSubscriptions) followed.set(id, notifications.resourceSubscriptions);
      followed.delete(method === 'notifications/cancelled' ? requestId : gaveUp);
    }
    return [...new Set([...followed.values()].flat())].sort();
  };

  it.each<Era>(['modern', 'legacy'])('comes to a %s client that follows it, and to no other', async (era) => {
    const one = await follower(at.server().url, at.token(), era);
    const two = await follower(at.server().url, at.token(), era);
    await one.follow(addressOf(NOTE));
    await two.follow(addressOf(OTHER));
    await until(() => followedThere().join() === [OTHER, NOTE].join());
    await changesUntil(NOTE, () => one.told.length > 0);
    await changesUntil(OTHER, () => two.told.length > 0);
    change(HIDDEN);
    await changesUntil(OTHER, () => two.told.length > 1);
    expect(new Set(one.told)).toEqual(new Set([addressOf(NOTE)]));
    expect(new Set(two.told)).toEqual(new Set([addressOf(OTHER)]));
    await one.giveUp(addressOf(NOTE));
    await until(() => followedThere().join() === OTHER);
    await two.giveUp(addressOf(OTHER));
    await until(() => followedThere().length === 0);
    await two.client.close();
    await one.client.close();
  });

  it('is not followed where it was not admitted', async () => {
    const one = await follower(at.server().url, at.token(), 'legacy');
    await expect(one.follow(addressOf(HIDDEN))).rejects.toThrow();
    await one.client.close();
    expect(followedThere()).not.toContain(HIDDEN);
  });

  describe('[PRES-15] once who follows has its answer', () => {
    const become = (updates: Partial<ScriptedUpdates>): void => at.upstream().become(script(updates));

    it.each<Era>(['modern', 'legacy'])('no change is missed by a %s client', async (era) => {
      const slow = { shouts: false, beginsAfterMs: 700 };
      const one = await follower(at.server().url, at.token(), era);
      await one.follow(addressOf(OTHER));
      await changesUntil(OTHER, () => one.told.length > 0);
      become(slow);
      const before = one.told.length;
      await one.follow(addressOf(NOTE));
      changes[NOTE] = (changes[NOTE] ?? 0) + 1;
      become(slow);
      await until(() => one.told.length > before);
      expect(one.told.slice(before)).toContain(addressOf(NOTE));
      for (const uri of [NOTE, OTHER]) await one.giveUp(addressOf(uri));
      await one.client.close();
      await until(() => followedThere().length === 0);
      become({});
    });

    it('it knows that the server refuses', async () => {
      become({ refuses: [NOTE] });
      const [one, two] = [
        await follower(at.server().url, at.token(), 'legacy'),
        await connectHttp(at.server().url, at.token(), 'modern'),
      ];
      await expect(one.follow(addressOf(NOTE))).rejects.toMatchObject({
        data: { code: 'DELEG_CAPABILITY_NOT_ALLOWED' },
      });
      const stream = await two.listen({ resourceSubscriptions: [addressOf(NOTE), addressOf(OTHER)] });
      expect(stream.honoredFilter.resourceSubscriptions).toEqual([addressOf(OTHER)]);
      await one.client.close();
      await two.close();
      await until(() => followedThere().length === 0);
      become({});
    });

    // A program is started when it is to be asked.
    if (transport === 'http')
      it('it is told once of a server that could not be asked before', async () => {
        const one = await follower(at.server().url, at.token(), 'modern');
        await one.follow(addressOf(OTHER));
        await at.upstream().close();
        await one.giveUp(addressOf(OTHER));
        await one.follow(addressOf(NOTE));
        sinceRestart = at.upstream().requests().length;
        await at.upstream().restart();
        await until(() => one.told.includes(addressOf(NOTE)));
        await one.client.close();
        await until(() => followedThere().length === 0);
      });
  });

  it('comes again after the server was started anew', async () => {
    const one = await follower(at.server().url, at.token(), 'modern');
    await one.follow(addressOf(NOTE));
    await changesUntil(NOTE, () => one.told.length > 0);
    sinceRestart = at.upstream().requests().length;
    if (transport === 'http') await at.upstream().restart();
    else for (const pid of (await at.inspect()).processes) process.kill(pid, 'SIGKILL');
    one.told.length = 0;
    // Once because something may be missing, and then because of the change.
    await changesUntil(NOTE, () => one.told.length > 1);
    await one.client.close();
    await until(() => followedThere().length === 0);
  });

  it('does not come once it is not admitted any more', async () => {
    const one = await follower(at.server().url, at.token(), 'modern');
    await one.follow(addressOf(NOTE), addressOf(OTHER));
    await changesUntil(NOTE, () => one.told.includes(addressOf(NOTE)));
    await at.asOwner('provider.review', {
      id: 'up',
      admit: ['echo'],
      admit_resources: [OTHER],
      trust: 'CONTROLLED_LOCAL',
      reason: 'a test',
    });
    await until(() => followedThere().join() === OTHER);
    one.told.length = 0;
    change(NOTE);
    await changesUntil(OTHER, () => one.told.length > 0);
    expect(new Set(one.told)).toEqual(new Set([addressOf(OTHER)]));
    await one.client.close();
  });
});

describe.each(REAL_UPSTREAMS.filter(({ id }) => id === 'everything' || id === 'everything_http'))(
  '[PRES-12] $about',
  (upstream) => {
    const home = temporaryFolder();
    let server: RunningServer;
    let listening: ListeningUpstream | undefined;
    beforeAll(async () => {
      server = await startServer(home);
      if (upstream.path !== undefined) listening = await listen(upstream, home);
      const target = listening ? { url: listening.url } : { command: upstream.command(home, 0) };
      await asOwner(home, 'provider.register', { id: 'real', ...target });
      await asOwner(home, 'provider.discover', { id: 'real' });
      await asOwner(home, 'provider.review', {
        id: 'real',
        admit: ['toggle-subscriber-updates'],
        admit_resources: ['demo://resource/dynamic/text/{resourceId}'],
        effects: { 'toggle-subscriber-updates': 'READ_ONLY' },
        trust: 'CONTROLLED_LOCAL',
        reason: 'a test',
      });
    });
    afterAll(async () => {
      await server?.stop();
      await listening?.close();
    });

    it('is heard of what it says', async () => {
      const uri = addressOf('demo://resource/dynamic/text/1', 'real');
      const one = await follower(server.url, await addClient(home, 'one'), 'modern');
      await one.follow(uri);
      await one.client.callTool({ name: 'real.toggle-subscriber-updates', arguments: {} });
      await until(() => one.told.length > 0);
      expect(one.told[0]).toBe(uri);
      await one.client.close();
    });
  },
);

/** A server that says all the time that its resources changed, also those nobody asked about or may see. */
import { describe, expect, it } from 'vitest';
import { connectHttp } from '../../support/mcp-clients.ts';
import { addClient } from '../../support/owner.ts';
import { providerHome } from '../../support/provider-home.ts';
import { BENIGN, type Script, TRANSPORTS } from '../../support/scripted-upstream.ts';
import { until } from '../../support/timing.ts';
import { type LegacySession, legacyHttp } from '../../support/wires.ts';

const [NOTE, SECRET] = ['note:///today', 'note:///secret'];
const addressOf = (uri: string): string => `sluice-provider://up/${uri}`;

describe.each(TRANSPORTS)('[UPC-08] a server over %s', (transport) => {
  let round = 0;
  const script = (times = 1): Script => ({
    ...BENIGN,
    resources: [{ uri: NOTE, name: 'today' }],
    resourceTemplates: [{ uriTemplate: 'many:///{n}', name: 'many' }],
    updates: {
      changes: { [NOTE]: round, [SECRET]: round, 'sluice://workspace/tree': round, 'many:///1': round },
      shouts: true,
      times,
    },
  });
  const at = providerHome(transport, script());
  const shout = (times?: number): void => {
    round += 1;
    at.upstream().become(script(times));
  };
  const follower = async (token: string, ...uris: string[]) => {
    const client = await connectHttp(at.server().url, token, 'modern');
    const told: string[] = [];
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      told.push(params.uri);
    });
    await client.listen({ resourceSubscriptions: uris });
    return { client, told };
  };
  const shoutsUntil = (isTold: () => boolean): Promise<void> =>
    until(async () => {
      shout();
      await new Promise((resolve) => setTimeout(resolve, 250));
      return isTold();
    });

  it('is heard of what is followed alone, and cannot speak of anything that is not its own', async () => {
    const one = await follower(at.token(), addressOf(NOTE), 'sluice://workspace/tree', addressOf(SECRET));
    await shoutsUntil(() => one.told.length > 1);
    expect(new Set(one.told)).toEqual(new Set([addressOf(NOTE)]));
    await one.client.close();
  });

  it('is heard a few times however often it says it', async () => {
    const one = await follower(at.token(), addressOf(NOTE));
    await shoutsUntil(() => one.told.length > 0);
    one.told.length = 0;
    shout(10_000);
    await until(() => one.told.length > 0);
    const before = one.told.length;
    await shoutsUntil(() => one.told.length > before);
    expect(one.told.length).toBeLessThan(100);
    await one.client.close();
  });

  it('is not heard by whoever lost the right to read', async () => {
    const [kept, lost] = [
      await follower(at.token(), addressOf(NOTE)),
      await follower(await addClient(at.home, 'loser'), addressOf(NOTE)),
    ];
    await shoutsUntil(() => kept.told.length > 0 && lost.told.length > 0);
    const rule = {
      subject_type: 'client',
      subject: 'loser',
      pattern: 'up.**',
      effect: 'deny',
      reason: 'test',
    };
    await at.asOwner('policy.rule.add', rule);
    lost.told.length = 0;
    kept.told.length = 0;
    await shoutsUntil(() => kept.told.length > 1);
    expect(lost.told).toEqual([]);
    await Promise.all([kept.client.close(), lost.client.close()]);
  });

  it('is not asked to tell of more than there is room for', async () => {
    const [one, two] = [
      await legacyHttp(at.server().port, at.token()),
      await legacyHttp(at.server().port, at.token()),
    ];
    const follow = ({ ask }: LegacySession, n: number) =>
      ask('resources/subscribe', { uri: addressOf(`many:///${n}`) });
    for (let n = 1; n <= 256; n += 64) {
      const answers = await Promise.all(Array.from({ length: 64 }, (_, at) => follow(one, n + at)));
      expect(answers.filter(({ error }) => error)).toEqual([]);
    }
    expect((await follow(two, 256)).error).toBeUndefined();
    expect((await follow(two, 257)).error?.data).toMatchObject({ code: 'rate_limited' });
    await one.close();
    await until(async () => (await follow(two, 257)).error === undefined);
    await two.close();
  });
});

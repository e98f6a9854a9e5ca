import { describe, expect, it } from 'vitest';
import { directoryOf } from '../../../test/support/one-provider.ts';
import { createLiveProviders } from './live-providers.ts';
import type { Provider } from './ports/provider-store.ts';
import { UpstreamFailure, type UpstreamLink } from './ports/upstream.ts';
import { DEFAULT_PROVIDER_LIMITS, type EffectClass } from './profile.ts';
import { type ProviderSurface, pinOfRest, pinOfTool } from './surface.ts';

const tool = { name: 'act', inputSchema: { type: 'object' } };
const surface: ProviderSurface = {
  revision: '2025-11-25',
  identity: { name: 'frail' },
  instructions: null,
  tools: [tool],
  prompts: [],
  resourceTemplates: [],
};

const providerWith = (effect: EffectClass, confirmed: boolean): Provider => ({
  profile: {
    id: 'frail',
    displayName: 'frail',
    transport: { kind: 'stdio_command', command: 'frail', args: [], folder: null },
    allowedTools: [{ name: 'act', pin: pinOfTool(tool), effect, confirmed }],
    surfacePin: pinOfRest(surface),
    trust: 'CONTROLLED_LOCAL',
    credentialRef: null,
    limits: { ...DEFAULT_PROVIDER_LIMITS, repinAfterMs: 0 },
  },
  state: 'READY',
  reasonCode: 'reviewed',
  reason: '',
  seen: surface,
  admitted: surface,
  findings: [],
  drift: [],
  createdAt: 0,
  updatedAt: 0,
});

/** What a connection does with the surface and with calls; each new one takes the next. */
interface Behaviour {
  readonly ended?: boolean;
  surface(): ProviderSurface;
  call(): Record<string, unknown>;
}

function calling(effect: EffectClass, behaviours: Behaviour[], confirmed = false) {
  let connected = 0;
  const link = (behaviour: Behaviour): UpstreamLink => ({
    get ended() {
      return behaviour.ended ?? false;
    },
    surface: async () => behaviour.surface(),
    call: async () => behaviour.call(),
    ask: async () => ({}),
    onChanged: () => undefined,
    follow: async () => [],
    followed: 0,
    over: new Promise(() => undefined),
    close: async () => undefined,
    processes: [],
    stderr: () => '',
  });
  const provider = providerWith(effect, confirmed);
  const live = createLiveProviders({
    directory: directoryOf(provider),
    upstreams: {
      async connect() {
        const next = behaviours[connected];
        connected += 1;
        if (!next) throw new UpstreamFailure('gone', 'It could not be reached', false);
        return link(next);
      },
      close: async () => undefined,
    },
    clock: { now: () => 0 },
    marksChanged: () => undefined,
    quarantine: async () => undefined,
  });
  const states: string[] = [];
  const call = () =>
    live.call('frail', 'act', {
      input: {},
      signal: new AbortController().signal,
      user: 'caller',
      onProgress: () => undefined,
      onEffect: (state) => void states.push(state),
    });
  return { live, call, states };
}

/** Shows itself when it is connected and before the call, and has ended by the time of the look after it. */
class EndsAfterItsAnswer implements Behaviour {
  calls = 0;

  get ended(): boolean {
    return this.calls > 0;
  }

  surface(): ProviderSurface {
    if (!this.ended) return surface;
    throw new UpstreamFailure('ended', 'it has ended', false);
  }

  call(): Record<string, unknown> {
    this.calls += 1;
    return { content: [] };
  }
}

describe('a server that answered a call and is gone before it could be looked at again', () => {
  it('[LINE-01] is not called once more with what may change something', async () => {
    const [first, second] = [new EndsAfterItsAnswer(), new EndsAfterItsAnswer()];
    const { live, call, states } = calling('LOCAL_SIDE_EFFECT', [first, second]);
    await expect(call()).rejects.toMatchObject({ code: 'DELEG_OUTCOME_UNCONFIRMED' });
    await live.close();
    expect([first.calls, second.calls]).toEqual([1, 0]);
    expect(states).toEqual(['none', 'in_doubt', 'known']);
  });
});

describe('a server that has ended without an answer', () => {
  it.each([
    [true, [1, 1]],
    [false, [1, 0]],
  ])(
    '[UPA-12] is asked once more where a person says that it only reads (%s), not where it says so itself',
    async (confirmed, calls) => {
      const [first, second] = [new EndsAfterItsAnswer(), new EndsAfterItsAnswer()];
      const { live, call } = calling('READ_ONLY', [first, second], confirmed);
      await expect(call()).rejects.toMatchObject({ code: 'DELEG_STREAM_TERMINAL_ERROR' });
      await live.close();
      expect([first.calls, second.calls]).toEqual(calls);
    },
  );
});

describe('[PROV-07] a connection where nothing listens any more', () => {
  it('is given up, so that failures to reach the server count', async () => {
    let gone = false;
    const first: Behaviour = {
      surface: () => surface,
      call() {
        if (gone) throw new UpstreamFailure('gone', 'It could not be reached', false);
        return { content: [] };
      },
    };
    const { live, call } = calling('LOCAL_SIDE_EFFECT', [first]);
    expect(await call()).toEqual({ content: [] });
    gone = true;
    for (const failures of [1, 2, 3]) {
      await expect(call()).rejects.toMatchObject({ code: 'DELEG_PROVIDER_NOT_FOUND' });
      expect(live.status('frail')).toMatchObject({ connected: false, failures });
    }
    expect(live.staleSince('frail')).toBe(0);
    await live.close();
  });
});

/** What the rest of Sluice is told about a call while it is made: it may be asked at any moment, not only at the end. */
import { describe, expect, it } from 'vitest';
import { directoryOf } from '../../../test/support/one-provider.ts';
import { systemClock as clock } from '../../kernel/clock.ts';
import { admit } from './admit-tools.ts';
import { createLiveProviders } from './live-providers.ts';
import type { Provider } from './ports/provider-store.ts';
import { UpstreamFailure, type UpstreamLink } from './ports/upstream.ts';
import { DEFAULT_PROVIDER_LIMITS } from './profile.ts';
import type { ProviderSurface, Shown } from './surface.ts';

const surface: ProviderSurface = {
  revision: '2025-11-25',
  identity: { name: 'up' },
  instructions: null,
  tools: [{ name: 'write', inputSchema: { type: 'object' } }],
  prompts: [],
  resourceTemplates: [],
};

const registered: Provider = {
  profile: {
    id: 'up',
    displayName: 'up',
    transport: { kind: 'stdio_command', command: 'up', args: [], folder: null },
    allowedTools: [],
    surfacePin: null,
    trust: 'CONTROLLED_LOCAL',
    credentialRef: null,
    limits: DEFAULT_PROVIDER_LIMITS,
  },
  state: 'READY',
  reasonCode: 'reviewed',
  reason: '',
  seen: surface,
  admitted: null,
  findings: [],
  drift: [],
  createdAt: 0,
  updatedAt: 0,
};
const provider = admit(
  registered,
  surface,
  ['write'],
  'CONTROLLED_LOCAL',
  {},
  {
    prompts: [],
    resources: [],
  },
  true,
);

/** Calls a server that does this when it is sent the call, and brings back what was told, and when it was sent. */
async function told(onCall: () => Promise<Shown>, onConnect = async (): Promise<void> => undefined) {
  const states: string[] = [];
  const link: UpstreamLink = {
    ended: false,
    processes: [],
    surface: async () => surface,
    call() {
      states.push('(sent)');
      return onCall();
    },
    ask: onCall,
    onChanged: () => undefined,
    follow: async () => [],
    followed: 0,
    over: new Promise(() => undefined),
    close: async () => undefined,
    stderr: () => '',
  };
  const live = createLiveProviders({
    clock,
    directory: directoryOf(provider),
    upstreams: {
      async connect() {
        await onConnect();
        return link;
      },
      close: async () => undefined,
    },
    marksChanged: () => undefined,
    quarantine: async () => undefined,
  });
  const ended = await live
    .call('up', 'write', {
      input: {},
      user: 'somebody',
      signal: new AbortController().signal,
      onProgress: () => undefined,
      onEffect: (state) => void states.push(state),
    })
    .then(
      () => 'answered',
      (error: { code?: string }) => error.code ?? 'broke',
    );
  await live.close();
  return [...states, ended];
}

const failing = (kind: UpstreamFailure['kind'], sent: boolean) => async (): Promise<never> => {
  throw new UpstreamFailure(kind, 'It failed', sent);
};

describe('[LINE-05] what is known of a write', () => {
  it('is in doubt before it is sent, and known when it is answered', async () => {
    expect(await told(async () => ({ content: [] }))).toEqual([
      'none',
      'in_doubt',
      '(sent)',
      'known',
      'answered',
    ]);
  });

  it('stays in doubt when it is not answered, in whatever way', async () => {
    const doubt = ['none', 'in_doubt', '(sent)', 'in_doubt', 'DELEG_OUTCOME_UNCONFIRMED'];
    expect(await told(failing('timeout', true))).toEqual(doubt);
    expect(await told(failing('ended', true))).toEqual(doubt);
    expect(await told(failing('invalid', true))).toEqual(doubt);
    expect(await told(failing('too_large', true))).toEqual(doubt);
    expect((await told(failing('cancelled', true))).slice(0, -1)).toEqual(doubt.slice(0, -1));
    const broken = async (): Promise<never> => Promise.reject(new Error('a fault of ours'));
    expect(await told(broken)).toEqual(['none', 'in_doubt', '(sent)', 'broke']);
  });

  it('is known when the server refused it, and nothing when it never left', async () => {
    const refused = ['none', 'in_doubt', '(sent)', 'known', 'DELEG_STREAM_TERMINAL_ERROR'];
    expect(await told(failing('refused', true))).toEqual(refused);
    expect(await told(async () => ({}), failing('connect', false))).toEqual([
      'none',
      'DELEG_PROVIDER_NOT_FOUND',
    ]);
    const unsent = ['in_doubt', '(sent)', 'none'];
    // Tried once more, since it cannot have happened.
    expect(await told(failing('ended', false))).toEqual([
      'none',
      ...unsent,
      ...unsent,
      'DELEG_STREAM_TERMINAL_ERROR',
    ]);
  });
});

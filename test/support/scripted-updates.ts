/** How a scripted server says that its resources changed: to those who follow them, or to everybody. */
type Json = Record<string, unknown>;
type Say = (message: Json) => void;

export interface ScriptedUpdates {
  /** By address: a higher number than before says that it changed. */
  readonly changes: Readonly<Record<string, number>>;
  /** Says it of everything to everybody, followed or not. */
  readonly shouts?: boolean;
  /** So often each time. */
  readonly times?: number;
}

const subscribed = new Set<string>();
const streams = new Map<Say, readonly string[]>();
let said: Readonly<Record<string, number>> = {};

/** In the older protocol; the answers to both methods. */
export const subscriptions = (params: Json, reply: (result: Json) => void) => ({
  'resources/subscribe': () => {
    subscribed.add(String(params.uri));
    reply({});
  },
  'resources/unsubscribe': () => {
    subscribed.delete(String(params.uri));
    reply({});
  },
});

/** In the newer protocol: what a stream was opened for. */
export function followBy(say: Say, { notifications }: Json): void {
  streams.set(say, ((notifications as Json | undefined)?.resourceSubscriptions ?? []) as string[]);
}

/** Looks whether something changed since the last time. */
export function announceUpdates(updates: ScriptedUpdates | undefined, listeners: Iterable<Say>): void {
  const { changes = {}, shouts = false, times = 1 } = updates ?? {};
  for (const [uri, count] of Object.entries(changes)) {
    if (count <= (said[uri] ?? 0)) continue;
    for (const say of listeners) {
      const followed = streams.get(say)?.includes(uri) || (!streams.has(say) && subscribed.has(uri));
      for (let n = 0; (shouts || followed) && n < times; n += 1)
        say({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } });
    }
  }
  said = { ...said, ...changes };
}

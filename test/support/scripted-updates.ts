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
  /** So long after it was asked to, it begins to tell of a resource, and says so. */
  readonly beginsAfterMs?: number;
  /** It tells nobody of these. */
  readonly refuses?: readonly string[];
}

const subscribed = new Set<string>();
const streams = new Map<Say, readonly string[]>();
let said: Readonly<Record<string, number>> = {};

/** In the older protocol; the answers to both methods. */
export const subscriptions = (
  { beginsAfterMs = 0, refuses = [] }: ScriptedUpdates,
  params: Json,
  reply: (result: Json) => void,
  refuse: () => void,
) => ({
  'resources/subscribe': () => {
    if (refuses.includes(String(params.uri))) return refuse();
    setTimeout(() => {
      subscribed.add(String(params.uri));
      reply({});
    }, beginsAfterMs);
  },
  'resources/unsubscribe': () => {
    subscribed.delete(String(params.uri));
    reply({});
  },
});

/** In the newer protocol: what a stream was opened for, and which of it is told. */
export function followBy(updates: ScriptedUpdates | undefined, say: Say, { id, params }: Json): void {
  const { beginsAfterMs = 0, refuses = [] } = updates ?? {};
  const asked = ((params as Json).notifications ?? {}) as Json;
  const uris = (asked.resourceSubscriptions ?? []) as readonly string[];
  const resourceSubscriptions = uris.filter((uri) => !refuses.includes(uri));
  const acknowledge = (): void => {
    streams.set(say, resourceSubscriptions);
    const notifications = { ...asked, ...(uris.length > 0 && { resourceSubscriptions }) };
    say({
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications, _meta: { 'io.modelcontextprotocol/subscriptionId': id } },
    });
  };
  streams.set(say, []);
  setTimeout(acknowledge, uris.length > 0 ? beginsAfterMs : 0);
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

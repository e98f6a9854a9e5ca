/**
 * `subscriptions/listen` over a stream. The SDK acknowledges, tags and ends them and lets only through what was
 * asked for; this follows along which resources that is, so that the gateway tells of those and no others.
 */
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import type { ToldChanges } from './tell-changes.ts';

export interface StreamListens {
  /** Every message the client sends. */
  see(message: JSONRPCMessage): void;
}

export function createListens(told: () => ToldChanges | undefined): StreamListens {
  const wanted = new Map<unknown, readonly string[]>();

  const begin = (id: unknown, uris: readonly string[]): void => {
    wanted.set(id, uris);
    // What the caller may not see is never told of, in whatever words it was refused.
    // The first message of all is seen before there is anybody to tell.
    setImmediate(() => {
      for (const uri of uris)
        told()
          ?.follow(uri)
          .catch(() => undefined);
    });
  };
  const end = (id: unknown): void => {
    const gone = wanted.get(id) ?? [];
    wanted.delete(id);
    const left = new Set([...wanted.values()].flat());
    for (const uri of gone)
      if (!left.has(uri))
        told()
          ?.unfollow(uri)
          .catch(() => undefined);
  };

  return {
    see(message) {
      if (!('method' in message)) return;
      if (message.method === 'notifications/cancelled') end(message.params?.requestId);
      if (message.method === 'subscriptions/listen' && 'id' in message) begin(message.id, urisIn(message));
    },
  };
}

function urisIn({ params }: { readonly params?: unknown }): readonly string[] {
  const { notifications } = (params ?? {}) as { notifications?: { resourceSubscriptions?: unknown } };
  const uris = notifications?.resourceSubscriptions;
  return Array.isArray(uris) ? uris.filter((uri) => typeof uri === 'string') : [];
}

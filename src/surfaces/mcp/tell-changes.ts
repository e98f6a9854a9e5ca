/** Tells a client with a connection of its own what changed: sessions, and everybody over a stream. */
import type { Server } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Gateway } from '../../gateway/gateway.ts';
import type { WatchedChange } from '../../gateway/watches.ts';
import { asSluiceError } from '../../kernel/errors.ts';
import { faultFields, type Log } from '../../kernel/log.ts';
import type { Peer } from './protocol-server.ts';
import { toProtocolError } from './to-mcp.ts';

export interface ToldChanges {
  /** Follows one more resource, and is back when that stands; throws what the gateway says. */
  follow(uri: string): Promise<void>;
  unfollow(uri: string): Promise<void>;
  close(): void;
}

/** Whoever follows too much already is told nothing, and asks for lists as before. */
export function tellChanges(use: { gateway: Gateway; log: Log }, server: Server, peer: Peer): ToldChanges {
  const { grant, source, session } = peer;
  const watch = use.gateway.watch({
    grant,
    source,
    claims: { session },
    // The client may be gone, or not listen yet.
    deliver: (change) => void send(server, change).catch(() => undefined),
  });
  watch.catch((error: unknown) => use.log.debug('changes_not_followed', faultFields(error)));
  return {
    follow: async (uri) => (await (await watch).follow(uri)).stands,
    unfollow: async (uri) => (await watch).unfollow(uri),
    close: () => void watch.then((opened) => opened.close()).catch(() => undefined),
  };
}

const uriParams = z.looseObject({ uri: z.string() });

/** The methods of revisions with sessions. */
export function serveSubscriptions(server: Server, told: () => ToldChanges | undefined): void {
  const followed = async (uri: string, act: 'follow' | 'unfollow') => {
    try {
      await told()?.[act](uri);
      return {};
    } catch (error) {
      throw toProtocolError(asSluiceError(error), 'legacy', uri);
    }
  };
  server.setRequestHandler('resources/subscribe', { params: uriParams }, ({ uri }) =>
    followed(uri, 'follow'),
  );
  server.setRequestHandler('resources/unsubscribe', { params: uriParams }, ({ uri }) =>
    followed(uri, 'unfollow'),
  );
}

function send(server: Server, change: WatchedChange): Promise<void> {
  if (change.kind === 'resource') return server.sendResourceUpdated({ uri: change.uri });
  switch (change.list) {
    case 'tools':
      return server.sendToolListChanged();
    case 'prompts':
      return server.sendPromptListChanged();
    case 'resources':
      return server.sendResourceListChanged();
  }
}

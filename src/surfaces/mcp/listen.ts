/**
 * `subscriptions/listen`: one stream that its client opened, with what this client may hear. The SDK frames it; a
 * bus of its own for each stream is how its events get there and nobody else's do.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, InMemoryServerEventBus } from '@modelcontextprotocol/server';
import type { Gateway } from '../../gateway/gateway.ts';
import type { Watch, WatchedChange } from '../../gateway/watches.ts';
import { asSluiceError } from '../../kernel/errors.ts';
import { createProtocolServer, type Peer } from './protocol-server.ts';

export interface ListenMeans {
  readonly gateway: Gateway;
  /** How to end each stream that is open. */
  readonly listens: Set<() => void>;
  peerOf(): Peer;
}

/** `message` was checked to be a request of this method. */
export async function answerListen(
  use: ListenMeans,
  request: IncomingMessage,
  response: ServerResponse,
  message: unknown,
): Promise<void> {
  const { grant, source } = use.peerOf();
  const bus = new InMemoryServerEventBus();
  const deliver = (change: WatchedChange): void => bus.publish(toEvent(change));
  const watch = await use.gateway.watch({ grant, source, claims: {}, deliver });
  const handler = createMcpHandler(() => createProtocolServer(use.gateway, 'modern', use.peerOf), {
    legacy: 'reject',
    bus,
  });
  const end = (): void => void handler.close();
  use.listens.add(end);
  response.once('close', () => {
    use.listens.delete(end);
    watch.close();
  });
  const narrowed = await narrow(watch, message);
  await toNodeHandler(handler)(
    request as Parameters<ReturnType<typeof toNodeHandler>>[0],
    response,
    narrowed,
  );
}

/** Resources that do not exist for the caller are left out of what is acknowledged, whatever the reason. */
async function narrow(watch: Watch, message: unknown): Promise<unknown> {
  const { params } = message as { params?: { notifications?: { resourceSubscriptions?: unknown } } };
  const wanted = params?.notifications?.resourceSubscriptions;
  if (!Array.isArray(wanted)) return message;
  const followed: Promise<string | undefined>[] = [];
  for (const uri of new Set(wanted.filter((one) => typeof one === 'string'))) {
    const begun = await begin(watch, uri);
    // They are waited for together, because one that is slow holds up no other.
    if (begun)
      followed.push(
        begun.stands.then(
          () => uri,
          () => undefined,
        ),
      );
  }
  const resourceSubscriptions = (await Promise.all(followed)).filter((uri) => uri !== undefined);
  const notifications = { ...params?.notifications, resourceSubscriptions };
  return { ...(message as object), params: { ...params, notifications } };
}

async function begin(watch: Watch, uri: string): Promise<Awaited<ReturnType<Watch['follow']>> | undefined> {
  try {
    return await watch.follow(uri);
  } catch (error) {
    const failure = asSluiceError(error);
    if (failure.code === 'internal' || failure.code === 'unavailable') throw failure;
    return undefined;
  }
}

function toEvent(change: WatchedChange): Parameters<InMemoryServerEventBus['publish']>[0] {
  return change.kind === 'resource'
    ? { kind: 'resource_updated', uri: change.uri }
    : { kind: `${change.list}_list_changed` };
}

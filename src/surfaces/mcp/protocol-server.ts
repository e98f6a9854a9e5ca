/** The MCP methods, each one call of the gateway. Knows the protocol and nothing of tools. */
import { Server, type ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { onAbort } from '../../gateway/calls-in-flight.ts';
import type { Gateway, Grant } from '../../gateway/gateway.ts';
import type { ListedItems, Listing, ListPage } from '../../gateway/list.ts';
import type { CallClaims, CallRequest, Target } from '../../gateway/request.ts';
import { asSluiceError } from '../../kernel/errors.ts';
import { VERSION } from '../../kernel/version.ts';
import { answerOf, type Era, toProtocolError, toToolResult } from './to-mcp.ts';

/** Who is at the other end of a request. */
export interface Peer {
  readonly grant: Grant;
  readonly source: string;
  /** The session of a client that has one. */
  readonly session?: string | undefined;
  readonly bytes?: number | undefined;
}

const INSTRUCTIONS = [
  'Sluice gives governed access to a workspace of Markdown pages and other tools.',
  'Start with search or get_page_tree; read_page answers a version, give it as base_version when you write.',
  'What you create is a candidate until an author accepts it; changing a canonical page needs an author.',
  'Everything you do is recorded. get_my_scopes says what you may do.',
].join(' ');

/** Lists may be cached for a moment, by this caller alone: they depend on who asks. */
const LIST_HINT = { ttlMs: 5_000, cacheScope: 'private' } as const;

export const SERVER_INFO = { name: 'sluice', title: 'Sluice', version: VERSION };

export function createProtocolServer(
  gateway: Gateway,
  era: Era,
  peerOf: (context: ServerContext) => Peer,
): Server {
  const server = new Server(SERVER_INFO, {
    capabilities: { tools: {}, resources: {}, prompts: {} },
    instructions: INSTRUCTIONS,
    cacheHints: {
      'server/discover': LIST_HINT,
      'tools/list': LIST_HINT,
      'prompts/list': LIST_HINT,
      'resources/list': LIST_HINT,
      'resources/templates/list': LIST_HINT,
      'resources/read': { ttlMs: 0, cacheScope: 'private' },
    },
  });
  const use = { gateway, era, peerOf };
  server.setRequestHandler('tools/call', { params: callParams }, async (params, context) =>
    toToolResult(
      await callThrough(use, { kind: 'tool', name: params.name, arguments: params.arguments }, context),
      era,
    ),
  );
  server.setRequestHandler('prompts/get', { params: callParams }, async (params, context) => {
    const target = { kind: 'prompt', name: params.name, arguments: params.arguments } as const;
    const { messages } = answerOf(await callThrough(use, target, context), 'prompt', era);
    return { messages: messages.map(({ role, text }) => ({ role, content: { type: 'text', text } })) };
  });
  server.setRequestHandler('resources/read', { params: readParams }, async (params, context) => {
    const { uri, mimeType, text } = answerOf(
      await callThrough(use, { kind: 'resource', uri: params.uri }, context),
      'resource',
      era,
      params.uri,
    );
    return { contents: [{ uri, mimeType, text }] };
  });
  server.setRequestHandler('tools/list', { params: listParams }, async (params, context) => {
    const { items, nextCursor } = await listThrough(use, 'tools', params, context);
    return withCursor({ tools: items }, nextCursor);
  });
  server.setRequestHandler('prompts/list', { params: listParams }, async (params, context) => {
    const { items, nextCursor } = await listThrough(use, 'prompts', params, context);
    return withCursor({ prompts: items }, nextCursor);
  });
  server.setRequestHandler('resources/list', { params: listParams }, async (params, context) => {
    const { items, nextCursor } = await listThrough(use, 'resources', params, context);
    return withCursor({ resources: items }, nextCursor);
  });
  server.setRequestHandler('resources/templates/list', { params: listParams }, async (params, context) => {
    const { items, nextCursor } = await listThrough(use, 'templates', params, context);
    const resourceTemplates = items.map(({ uri, ...template }) => ({ ...template, uriTemplate: uri }));
    return withCursor({ resourceTemplates }, nextCursor);
  });
  return server;
}

const callParams = z.looseObject({ name: z.string(), arguments: z.unknown().optional() });
const readParams = z.looseObject({ uri: z.string() });
const listParams = z.looseObject({ cursor: z.string().optional() });

interface Means {
  readonly gateway: Gateway;
  readonly era: Era;
  peerOf(context: ServerContext): Peer;
}

function callThrough(use: Means, target: Target, context: ServerContext) {
  const { grant, source, session, bytes } = use.peerOf(context);
  const onProgress = progressOf(context);
  return use.gateway.call({
    target,
    presented: { kind: 'grant', grant },
    claims: claimsOf(context.mcpReq._meta ?? {}, session),
    source,
    bytes,
    onCancel: onAbort(context.mcpReq.signal),
    ...(onProgress && { onProgress }),
  });
}

async function listThrough<What extends Listing>(
  use: Means,
  what: What,
  params: { readonly cursor?: string | undefined },
  context: ServerContext,
): Promise<ListPage<ListedItems[What]>> {
  const { grant, source, session } = use.peerOf(context);
  const presented = { kind: 'grant', grant } as const;
  try {
    return await use.gateway.list(what, {
      presented,
      claims: claimsOf(context.mcpReq._meta ?? {}, session),
      source,
      cursor: params.cursor,
    });
  } catch (error) {
    throw toProtocolError(asSluiceError(error), use.era);
  }
}

/** What the client says of its call in `_meta`. What is no text becomes one that no check of a claim lets pass. */
export function claimsOf(meta: Readonly<Record<string, unknown>>, session: string | undefined): CallClaims {
  const text = (key: string): string | undefined => {
    const value = meta[`dev.sluice/${key}`];
    return value === undefined || typeof value === 'string' ? value : `(${JSON.stringify(value)})`;
  };
  return {
    run: text('run'),
    thread: text('thread'),
    origin: text('origin'),
    workspace: text('workspace'),
    session,
  };
}

/** Progress goes to those who asked for it, and nobody waits for it to arrive. */
function progressOf(context: ServerContext): CallRequest['onProgress'] {
  const progressToken = context.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return (step) => {
    const params = { ...step, progressToken };
    // The client may be gone by now; its call is ended elsewhere.
    context.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}

const withCursor = <Page extends object>(page: Page, nextCursor: string | undefined) =>
  nextCursor === undefined ? page : { ...page, nextCursor };

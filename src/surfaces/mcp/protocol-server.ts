/** The MCP methods, each one call of the gateway. Knows the protocol and nothing of tools. */
import {
  type CallToolResult,
  type LoggingLevel,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { onAbort } from '../../gateway/calls-in-flight.ts';
import type { Gateway, Grant } from '../../gateway/gateway.ts';
import type { ListedItems, Listing, ListPage } from '../../gateway/list.ts';
import type { CallClaims, CallRequest, Outcome, Target } from '../../gateway/request.ts';
import { asSluiceError } from '../../kernel/errors.ts';
import { VERSION } from '../../kernel/version.ts';
import { LEVELS, logLinesOf } from './log-lines.ts';
import { abilitiesOf, resumeOf } from './questions.ts';
import {
  type Era,
  toCompletion,
  toPromptResult,
  toProtocolError,
  toResourceResult,
  toToolResult,
} from './to-mcp.ts';

/** Who is at the other end of a request. */
export interface Peer {
  readonly grant: Grant;
  readonly source: string;
  /** The session of a client that has one. */
  readonly session?: string | undefined;
  readonly bytes?: number | undefined;
  /** What the transport repeats of the arguments, where it does. */
  readonly mirrored?: CallRequest['mirrored'];
  /** Told how a call ended, for transports whose own answer depends on it. */
  readonly onOutcome?: (outcome: Outcome) => void;
}

const INSTRUCTIONS = [
  'Sluice gives governed access to a workspace of Markdown pages and other tools.',
  'Start with search or get_page_tree; read_page answers a version, give it as base_version when you write.',
  'What you create is a candidate and marked as one; changing a canonical page needs an author.',
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
    capabilities: {
      tools: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      prompts: { listChanged: true },
      completions: {},
      logging: {},
    },
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
  const use: Means = { gateway, era, peerOf, server };
  serveCalls(use);
  serveLists(use);
  return server;
}

function serveCalls(use: Means): void {
  const { server, era } = use;
  server.setRequestHandler('tools/call', { params: callParams }, async (params, context) => {
    const target = { kind: 'tool', name: params.name, arguments: params.arguments } as const;
    const outcome = await callThrough(use, target, context);
    return inEra(use, outcome, toToolResult(outcome, era));
  });
  server.setRequestHandler('prompts/get', { params: callParams }, async (params, context) => {
    const target = { kind: 'prompt', name: params.name, arguments: params.arguments } as const;
    return toPromptResult(await callThrough(use, target, context), era);
  });
  server.setRequestHandler('resources/read', { params: readParams }, async (params, context) => {
    const outcome = await callThrough(use, { kind: 'resource', uri: params.uri }, context);
    return toResourceResult(outcome, era, params.uri);
  });
  server.setRequestHandler('completion/complete', { params: completeParams }, async (params, context) => {
    const { ref, argument } = params;
    const of =
      ref.type === 'ref/prompt'
        ? ({ kind: 'prompt', name: ref.name } as const)
        : ({ kind: 'template', uri: ref.uri } as const);
    const others = params.context?.arguments ?? {};
    const target = {
      kind: 'completion',
      of,
      argument: argument.name,
      value: argument.value,
      others,
    } as const;
    return toCompletion(await callThrough(use, target, context), era);
  });
  if (era === 'modern') return;
  server.setRequestHandler('logging/setLevel', { params: levelParams }, async ({ level }) => {
    use.level = level;
    return {};
  });
}

function serveLists(use: Means): void {
  const { server } = use;
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
}

/** Older clients know structure as an object alone, and were listed tools that way. */
function inEra({ server, era }: Means, outcome: Outcome, result: ReturnType<typeof toToolResult>) {
  if (era === 'modern' || !outcome.ok || outcome.answer.kind !== 'tool' || !('content' in result))
    return result;
  return server.projectCallToolResult(result as CallToolResult, outcome.answer.declared);
}

const callParams = z.looseObject({ name: z.string(), arguments: z.unknown().optional() });
const readParams = z.looseObject({ uri: z.string() });
const completeParams = z.looseObject({
  ref: z.union([
    z.looseObject({ type: z.literal('ref/prompt'), name: z.string() }),
    z.looseObject({ type: z.literal('ref/resource'), uri: z.string() }),
  ]),
  argument: z.looseObject({ name: z.string(), value: z.string() }),
  context: z.looseObject({ arguments: z.record(z.string(), z.string()).optional() }).optional(),
});
const levelParams = z.looseObject({ level: z.enum(LEVELS) });
const listParams = z.looseObject({ cursor: z.string().optional() });

interface Means {
  readonly gateway: Gateway;
  readonly era: Era;
  readonly server: Server;
  /** From which level on a session wants log lines. */
  level?: LoggingLevel;
  peerOf(context: ServerContext): Peer;
}

async function callThrough(use: Means, target: Target, context: ServerContext): Promise<Outcome> {
  const { grant, source, session, bytes, mirrored, onOutcome } = use.peerOf(context);
  const outcome = await use.gateway.call({
    target,
    presented: { kind: 'grant', grant },
    claims: claimsOf(context.mcpReq._meta ?? {}, session),
    source,
    bytes,
    mirrored,
    onCancel: onAbort(context.mcpReq.signal),
    onGone: use.era === 'legacy' ? onAbort(context.mcpReq.signal) : undefined,
    onProgress: progressOf(context),
    onLog: logLinesOf(context, use.level),
    abilities: abilitiesOf(context, use.server.getClientCapabilities()),
    resume: resumeOf(context),
  });
  onOutcome?.(outcome);
  return outcome;
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
  return {
    run: claim(meta['dev.sluice/run']),
    thread: claim(meta['dev.sluice/thread']),
    origin: claim(meta['dev.sluice/origin']),
    workspace: claim(meta['dev.sluice/workspace']),
    approval: claim(meta['dev.sluice/approval']),
    session,
  };
}

const claim = (value: unknown): string | undefined =>
  value === undefined || typeof value === 'string' ? value : `(${JSON.stringify(value)})`;

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

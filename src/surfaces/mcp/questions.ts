/** What a call asks for, in the words of the protocol, and what comes back. */
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequest,
  type InputRequiredResult,
  inputRequired,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Answer, CallRequest } from '../../gateway/request.ts';

type Question = Answer & { readonly kind: 'question' };

/** A session answers it by requests to its client; without one the client asks and calls again. */
export function toInputRequired({ requests, state }: Question): InputRequiredResult {
  const inputRequests = Object.fromEntries(
    Object.entries(requests).map(([key, request]) => [key, toInputRequest(request)]),
  );
  return inputRequired({ inputRequests, requestState: state });
}

function toInputRequest(request: Question['requests'][string]): InputRequest {
  switch (request.kind) {
    case 'form':
      return inputRequired.elicit({
        message: request.message,
        requestedSchema: request.schema as Parameters<typeof inputRequired.elicit>[0]['requestedSchema'],
      });
    case 'url':
      return inputRequired.elicitUrl({ message: request.message, url: request.url });
    case 'sampling': {
      const { messages, maxTokens, systemPrompt } = request;
      const params = { messages, maxTokens, ...(systemPrompt !== undefined && { systemPrompt }) };
      return inputRequired.createMessage(params as Parameters<typeof inputRequired.createMessage>[0]);
    }
    case 'roots':
      return inputRequired.listRoots();
  }
}

/** Undefined unless the request goes on with one that asked. */
export function resumeOf({ mcpReq }: ServerContext): CallRequest['resume'] {
  const state: unknown = mcpReq.requestState();
  if (mcpReq.inputResponses === undefined && state === undefined) return undefined;
  return { answers: mcpReq.inputResponses ?? {}, ...(typeof state === 'string' && { state }) };
}

/** A client without a session says with each request what it can; one with a session said it at its beginning. */
export function abilitiesOf(
  { mcpReq }: ServerContext,
  said: ClientCapabilities | undefined,
): NonNullable<CallRequest['abilities']> {
  return abilitiesIn(sentIn(mcpReq.envelope ?? {}) ?? said);
}

/** What a request says in its `_meta` that its client can. */
export const sentIn = (meta: Readonly<Record<string, unknown>>): ClientCapabilities | undefined =>
  meta[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;

const NONE: NonNullable<CallRequest['abilities']> = [];

export function abilitiesIn(
  capabilities: ClientCapabilities | undefined,
): NonNullable<CallRequest['abilities']> {
  const { elicitation, sampling, roots } = capabilities ?? {};
  if (!elicitation && !sampling && !roots) return NONE;
  // Before there was a second way to ask, a form was the only one and had no name.
  const form = elicitation && (elicitation.form !== undefined || elicitation.url === undefined);
  return [
    ...(form ? (['form'] as const) : []),
    ...(elicitation?.url ? (['url'] as const) : []),
    ...(sampling ? (['sampling'] as const) : []),
    ...(roots ? (['roots'] as const) : []),
  ];
}

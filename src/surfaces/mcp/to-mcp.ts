/** From the gateway's outcomes to what MCP says, by the error table's columns for the two eras. */
import { type CallToolResult, ProtocolError } from '@modelcontextprotocol/server';
import type { Answer, Outcome } from '../../gateway/request.ts';
import { asSluiceError, errorRow, type SluiceError } from '../../kernel/errors.ts';

export type Era = 'modern' | 'legacy';

/** A refusal that the model should see and can act on is a result; everything else is a protocol error. */
export function toToolResult(outcome: Outcome, era: Era): CallToolResult {
  if (outcome.ok && outcome.answer.kind === 'tool') {
    const { text, structured } = outcome.answer;
    return { content: [{ type: 'text', text }], structuredContent: { ...structured } };
  }
  const error = outcome.ok ? asSluiceError(new TypeError('not a tool')) : outcome.error;
  if (errorRow(error.code).mcp !== 'result') throw toProtocolError(error, era);
  const wire = error.toWire();
  return { content: [{ type: 'text', text: errorText(error) }], structuredContent: wire, isError: true };
}

/** For resources and prompts, whose failures are always protocol errors. */
export function answerOf<Kind extends Answer['kind']>(
  outcome: Outcome,
  kind: Kind,
  era: Era,
  uri?: string,
): Answer & { readonly kind: Kind } {
  if (!outcome.ok) throw toProtocolError(outcome.error, era, uri);
  if (outcome.answer.kind !== kind) throw toProtocolError(asSluiceError(new TypeError(`not a ${kind}`)), era);
  return outcome.answer as Answer & { readonly kind: Kind };
}

export function toProtocolError(error: SluiceError, era: Era, uri?: string): ProtocolError {
  const { mcp, http } = errorRow(error.code);
  const code = mcp === 'result' ? (http < 500 ? -32602 : -32603) : mcp[era];
  // A resource that is not there is recognised by data that holds nothing but its URI.
  const data = error.code === 'resource_not_found' ? { uri: uri ?? '' } : error.toWire();
  return new ProtocolError(code, error.message, data);
}

/** With what the caller needs to do better, for clients that show only the text. */
function errorText(error: SluiceError): string {
  const { message: _, retry: __, ...facts } = error.toWire();
  return `${error.message}\n${JSON.stringify(facts)}`;
}

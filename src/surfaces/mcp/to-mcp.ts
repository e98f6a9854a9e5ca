/** From the gateway's outcomes to what MCP says, by the error table's columns for the two eras. */
import {
  type CallToolResult,
  type CompleteResult,
  type ContentBlock,
  type GetPromptResult,
  type InputRequiredResult,
  ProtocolError,
  type ReadResourceResult,
} from '@modelcontextprotocol/server';
import { type Answer, ARGUMENTS, type Outcome, type ToolAnswer } from '../../gateway/request.ts';
import { asSluiceError, errorRow, type SluiceError } from '../../kernel/errors.ts';
import { toInputRequired } from './questions.ts';

export type Era = 'modern' | 'legacy';

/** A refusal that the model should see and can act on is a result; everything else is a protocol error. */
export function toToolResult(outcome: Outcome, era: Era): CallToolResult | InputRequiredResult {
  if (outcome.ok) {
    const { answer } = outcome;
    if (answer.kind === 'question') return toInputRequired(answer);
    if (answer.kind === 'tool') return toContent(answer);
  }
  const error = outcome.ok ? asSluiceError(new TypeError('not a tool')) : outcome.error;
  if (errorRow(error.code).mcp !== 'result') throw toProtocolError(error, era);
  const wire = error.toWire();
  return { content: [{ type: 'text', text: errorText(error) }], structuredContent: wire, isError: true };
}

function toContent({
  text,
  structured,
  bare,
  content,
  isError,
  label,
  arguments: said,
}: ToolAnswer): CallToolResult {
  const blocks = content ? (content.map((block) => ({ ...block })) as ContentBlock[]) : [textBlock(text)];
  return {
    // First, as the SDK has it.
    ...beside({ ...(label && { [LABEL]: label }), ...(said && { [ARGUMENTS]: said }) }),
    // In a block of its own: the first one stays what programs read.
    content: said ? [...blocks, textBlock(said.note)] : blocks,
    ...(structured && { structuredContent: bare ? structured.result : { ...structured } }),
    ...(isError && { isError }),
  };
}

const textBlock = (text: string): ContentBlock => ({ type: 'text', text });

/** Where clients of both eras find who said it. */
const LABEL = 'dev.sluice/label';

const labelled = ({ label }: { readonly label?: object | undefined }) =>
  beside(label ? { [LABEL]: label } : {});

const beside = (facts: Record<string, unknown>): { _meta?: Record<string, unknown> } =>
  Object.keys(facts).length > 0 ? { _meta: facts } : {};

export function toPromptResult(outcome: Outcome, era: Era): GetPromptResult | InputRequiredResult {
  const answer = answerOf(outcome, 'prompt', era);
  if (answer.kind === 'question') return toInputRequired(answer);
  const messages = answer.messages.map((message) => ({ ...message })) as GetPromptResult['messages'];
  return { messages, ...labelled(answer) };
}

export function toResourceResult(
  outcome: Outcome,
  era: Era,
  uri: string,
): ReadResourceResult | InputRequiredResult {
  const answer = answerOf(outcome, 'resource', era, uri);
  if (answer.kind === 'question') return toInputRequired(answer);
  return { contents: answer.contents.map((part) => ({ ...part })), ...labelled(answer) };
}

export function toCompletion(outcome: Outcome, era: Era): CompleteResult {
  const answer = answerOf(outcome, 'completion', era);
  // Nobody can ask while somebody types.
  if (answer.kind === 'question') throw toProtocolError(asSluiceError(new TypeError('a question')), era);
  return { completion: { values: [...answer.values], hasMore: answer.more } };
}

/** For what is no tool: its failures are always protocol errors. */
function answerOf<Kind extends Answer['kind']>(
  outcome: Outcome,
  kind: Kind,
  era: Era,
  uri?: string,
): Answer & { readonly kind: Kind | 'question' } {
  if (!outcome.ok) throw toProtocolError(outcome.error, era, uri);
  const { answer } = outcome;
  if (answer.kind !== kind && answer.kind !== 'question')
    throw toProtocolError(asSluiceError(new TypeError(`not a ${kind}`)), era);
  return answer as Answer & { readonly kind: Kind | 'question' };
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

/**
 * The short way for the most frequent request: a tool call of the modern era that wants nothing but its answer.
 * It takes what is beyond doubt and leaves everything else, malformed or special, to the SDK; both ways call the
 * gateway alike and encode alike, so nobody can tell from an answer which one it took.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { ProtocolError } from '@modelcontextprotocol/server';
import type { Gateway } from '../../gateway/gateway.ts';
import type { Outcome } from '../../gateway/request.ts';
import { asSluiceError } from '../../kernel/errors.ts';
import { isObject } from './message-checks.ts';
import type { OpenResponse } from './open-responses.ts';
import { claimsOf, type Peer, SERVER_INFO } from './protocol-server.ts';
import { abilitiesIn, sentIn } from './questions.ts';
import { toToolResult } from './to-mcp.ts';

const REVISION = '2026-07-28';
const PROTOCOL = 'io.modelcontextprotocol/';

type Json = Readonly<Record<string, unknown>>;

export interface HotCall {
  readonly id: string | number;
  readonly name: string;
  readonly arguments: unknown;
  readonly meta: Json;
  /** What the client says of itself with every request. */
  readonly envelope: string;
}

/** Undefined when the message is anything but a plain call whose headers say the very same. */
export function hotCallOf(message: unknown, headers: IncomingHttpHeaders): HotCall | undefined {
  if (!isObject(message) || message.method !== 'tools/call' || message.jsonrpc !== '2.0') return undefined;
  const { id, params } = message;
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return undefined;
  // Params beyond these, such as answers to questions of the server, go the long way.
  if (!isObject(params) || !hasOnly(message, REQUEST) || !hasOnly(params, PARAMS)) return undefined;
  const { name, arguments: given, _meta: meta } = params;
  const agrees =
    headers['mcp-protocol-version'] === REVISION &&
    headers['mcp-method'] === 'tools/call' &&
    headers['mcp-name'] === name;
  if (!agrees || typeof name !== 'string' || name.startsWith('=?')) return undefined;
  if ((given !== undefined && !isObject(given)) || !isObject(meta)) return undefined;
  const envelope = envelopeOf(meta);
  return envelope === undefined
    ? undefined
    : { id: id as string | number, name, arguments: given, meta, envelope };
}

const REQUEST = new Set(['jsonrpc', 'id', 'method', 'params']);
const PARAMS = new Set(['name', 'arguments', '_meta']);

const hasOnly = (object: Json, keys: ReadonlySet<string>): boolean =>
  Object.keys(object).every((key) => keys.has(key));

/** Undefined when the client asks for progress or a log, or says something that is not known here. */
function envelopeOf(meta: Json): string | undefined {
  const said: unknown[] = [];
  for (const [key, value] of Object.entries(meta)) {
    if (key === 'progressToken' || key === `${PROTOCOL}logLevel`) return undefined;
    if (key.startsWith(PROTOCOL)) said.push(key, value);
  }
  return meta[`${PROTOCOL}protocolVersion`] === REVISION ? JSON.stringify(said) : undefined;
}

/** Envelopes that the SDK has found to be right; a client sends the same one with every call. */
export function createKnownEnvelopes() {
  const known = new Set<string>();
  return {
    has: (call: HotCall): boolean => known.has(call.envelope),
    add(call: HotCall): void {
      if (known.size >= MAX_KNOWN) known.clear();
      if (call.envelope.length <= MAX_ENVELOPE) known.add(call.envelope);
    },
  };
}

const MAX_KNOWN = 1_000;
const MAX_ENVELOPE = 4_096;

export async function answerHot(
  gateway: Gateway,
  call: HotCall,
  peer: Peer,
  { response, onCancel }: OpenResponse,
): Promise<void> {
  const outcome = await gateway.call({
    target: { kind: 'tool', name: call.name, arguments: call.arguments },
    presented: { kind: 'grant', grant: peer.grant },
    claims: claimsOf(call.meta, undefined),
    source: peer.source,
    bytes: peer.bytes,
    mirrored: peer.mirrored,
    abilities: abilitiesIn(sentIn(call.meta)),
    onCancel,
  });
  if (response.destroyed) return;
  const { status, text } = encode(call.id, outcome);
  const bytes = Buffer.byteLength(text);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes });
  // As many bytes as characters: nothing in it has to be encoded.
  response.end(text, bytes === text.length ? 'latin1' : 'utf8');
}

const META = { [`${PROTOCOL}serverInfo`]: SERVER_INFO };
const META_JSON = JSON.stringify(META);

/** The same members in the same order as the SDK writes them. */
function encode(id: string | number, outcome: Outcome): { readonly status: number; readonly text: string } {
  const facts =
    outcome.ok &&
    outcome.answer.kind === 'tool' &&
    !outcome.answer.content &&
    !outcome.answer.arguments &&
    outcome.answer.structured &&
    outcome.answer.text;
  if (facts) return { status: 200, text: encodeFacts(id, facts) };
  try {
    const said = toToolResult(outcome, 'modern');
    const result = {
      ...said,
      resultType: said.resultType ?? 'complete',
      _meta: said._meta ? { ...said._meta, ...META } : META,
    };
    return { status: 200, text: JSON.stringify({ result, jsonrpc: '2.0', id }) };
  } catch (thrown) {
    if (!(thrown instanceof ProtocolError)) throw asSluiceError(thrown);
    const { code, message, data } = thrown;
    const status = ABOUT_THE_REQUEST.has(code) ? 400 : 200;
    return { status, text: JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } }) };
  }
}

/** The text of a structured answer is its JSON, so it stands for both and is made once. */
const encodeFacts = (id: string | number, json: string): string =>
  `{"result":{"content":[{"type":"text","text":${JSON.stringify(json)}}],"structuredContent":${json},` +
  `"resultType":"complete","_meta":${META_JSON}},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;

/** Headers that contradict the body, and what the client would have to be able to do. */
const ABOUT_THE_REQUEST = new Set([-32020, -32021]);

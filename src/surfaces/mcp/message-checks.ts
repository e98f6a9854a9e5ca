/**
 * Looks at a message before the SDK does. What can never become a call is refused in our words, with the field
 * that is wrong, and recorded like every refusal.
 */
import { SluiceError } from '../../kernel/errors.ts';
import type { Era } from './to-mcp.ts';

export interface RefusedMessage {
  /** What it wanted, for the record. */
  readonly what: string;
  readonly error: SluiceError;
  /** True where the protocol's own answer says it already, with a status of its own. */
  readonly answeredByProtocol: boolean;
}

type Params = Readonly<Record<string, unknown>>;
type Check = (params: Params) => string | undefined;

const text =
  (field: string): Check =>
  (params) =>
    typeof params[field] === 'string' ? undefined : `"${field}" must be a string`;
const textOrAbsent =
  (field: string): Check =>
  (params) =>
    params[field] === undefined ? undefined : text(field)(params);
const objectOrAbsent =
  (field: string): Check =>
  (params) =>
    params[field] === undefined || isObject(params[field]) ? undefined : `"${field}" must be an object`;

const objectNamed =
  (field: string): Check =>
  (params) =>
    isObject(params[field]) ? undefined : `"${field}" must be an object`;

const CALL = [text('name'), objectOrAbsent('arguments')];
const LIST = [textOrAbsent('cursor')];

/** The methods that are served, by what their params must be. */
const METHODS: Readonly<Record<string, readonly Check[]>> = {
  'tools/call': CALL,
  'prompts/get': CALL,
  'resources/read': [text('uri')],
  'completion/complete': [objectNamed('ref'), objectNamed('argument')],
  'tools/list': LIST,
  'prompts/list': LIST,
  'resources/list': LIST,
  'resources/templates/list': LIST,
};

/** What else an era has; the SDK serves it. */
const PROTOCOL_METHODS: Readonly<Record<Era, readonly string[]>> = {
  legacy: ['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe'],
  modern: ['server/discover', 'subscriptions/listen'],
};

/**
 * Undefined when it is well formed, or no request at all. In a batch the first that is refused counts. Without an
 * era the client has not said yet which it is of.
 */
export function refusedMessage(message: unknown, era: Era | undefined): RefusedMessage | undefined {
  if (Array.isArray(message)) {
    const found = message.map((one) => refusedMessage(one, era)).find((one) => one !== undefined);
    return found && { ...found, answeredByProtocol: true };
  }
  if (!isObject(message) || message.id === undefined || typeof message.method !== 'string') return undefined;
  const { method, params } = message;
  const checks = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined;
  if (!checks) {
    const further = era ? PROTOCOL_METHODS[era] : Object.values(PROTOCOL_METHODS).flat();
    if (further.includes(method)) return undefined;
    const unknown = new SluiceError('unknown_method', 'Method not found');
    return { what: method, error: unknown, answeredByProtocol: true };
  }
  if (params !== undefined && !isObject(params)) return malformed(method, '"params" must be an object');
  const problem = checks.map((check) => check(params ?? {})).find((one) => one !== undefined);
  return problem === undefined ? undefined : malformed(method, problem);
}

function malformed(method: string, problem: string): RefusedMessage {
  const field = /^"(\w+)"/.exec(problem)?.[1];
  const error = new SluiceError('invalid_request', `${method}: ${problem}`, { ...(field && { field }) });
  return { what: method, error, answeredByProtocol: false };
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

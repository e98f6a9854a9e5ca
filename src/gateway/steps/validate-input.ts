/**
 * Step 12: the arguments, parsed once. Unknown keys are dropped and the caller is told, objects that arrive as JSON
 * text are accepted, a wrong value is named, and ids that claim a context must be the caller's own.
 */
import type { PromptArgument } from '../../catalogue/prompt-definition.ts';
import { BUILT_IN, type ScopedId } from '../../catalogue/registration.ts';
import type { JsonSchema, SchemaIssue } from '../../catalogue/schema.ts';
import type { Tool } from '../../catalogue/tool-definition.ts';
import type { Caller } from '../../kernel/caller.ts';
import { canonicalJson, sha256Hex } from '../../kernel/canonical-json.ts';
import { type ErrorDetails, SluiceError } from '../../kernel/errors.ts';
import { argumentNote, asSpelt } from '../argument-note.ts';
import type { AuditDraft } from '../audit-draft.ts';
import type { Gate } from '../means.ts';
import type { ArgumentNote, Target } from '../request.ts';
import { type Admitted, learn, type Valid } from '../stages.ts';
import { measure } from './limit-size.ts';
import { matchHeaders } from './match-headers.ts';
import { resume } from './resume.ts';

export function validateInput(use: Gate, admitted: Admitted): Valid {
  const { entry, caller, draft, request, inputBytes } = admitted;
  if (entry.needsWorkspace && !caller.context.workspace) {
    throw new SluiceError(
      'no_workspace',
      'No workspace is open for this caller; "sluice workspace open" opens one',
    );
  }
  const limit = entry.limits.inputBytes;
  if (inputBytes > limit) {
    // On a wire it is the size of the whole message; the arguments count, so that every wire has the same limit.
    const exact = measure(request.target);
    if (exact > limit)
      throw new SluiceError(
        'payload_too_large',
        `${entry.name} takes at most ${limit} bytes, these are ${exact}`,
      );
  }
  const given = givenArguments(request.target);
  const inputDigest = digestOf(entry.server, given);
  draft.input(inputDigest);
  if (entry.kind === 'tool' && request.mirrored) matchHeaders(entry.input.json, given, request.mirrored);
  const { input, note } = inputOf(admitted, given);
  matchScopedIds(entry.taskScoped, input, caller, draft);
  return learn(
    learn(learn(learn(admitted, 'input', input), 'argumentNote', note), 'inputDigest', inputDigest),
    'resumed',
    resume(use, admitted, inputDigest),
  );
}

interface Read {
  readonly input: Readonly<Record<string, unknown>>;
  readonly note?: ArgumentNote | undefined;
}

function inputOf({ entry, variables, request }: Admitted, given: Readonly<Record<string, unknown>>): Read {
  if (request.target.kind === 'completion') return { input: given };
  if (entry.kind === 'resource') return { input: variables };
  if (entry.kind === 'prompt') return { input: promptInput(entry.arguments, given) };
  // What a provider's tools take is passed on as it came.
  if (entry.server !== BUILT_IN) return { input: toolInput(entry, given) };
  const spelt = asSpelt(entry.input.json, given);
  const input = toolInput(entry, spelt.given);
  return { input, note: argumentNote(entry, spelt, input) };
}

function givenArguments(target: Target): Readonly<Record<string, unknown>> {
  if ('uri' in target) return { uri: target.uri };
  if (target.kind === 'completion') return { ...target.others, [target.argument]: target.value };
  const given = target.arguments ?? {};
  if (typeof given !== 'object' || Array.isArray(given)) {
    throw new SluiceError('invalid_request', '"arguments" must be an object', { field: 'arguments' });
  }
  return given as Record<string, unknown>;
}

function digestOf(server: string, given: Readonly<Record<string, unknown>>): string {
  let text: string;
  try {
    text = canonicalJson(given);
  } catch (error) {
    // Only what JSON cannot say gets here: lone surrogates and 1e400 over the wire, functions or NaN in process.
    const field = fieldWhere(given, (value) => !isJson(value));
    throw new SluiceError(
      'invalid_request',
      `${field === undefined ? 'The arguments are' : `"${field}" is`} not JSON: ${(error as Error).message}`,
      { ...(field !== undefined && { field }) },
    );
  }
  // Text with NUL characters cannot be kept, and nobody means them.
  const field = text.includes('\\u0000') ? fieldWhere(given, holdsNul) : undefined;
  if (field !== undefined) throw wrongInput(server, `"${field}" must not hold NUL characters`, { field });
  return text === '{}' ? DIGEST_OF_NOTHING : `sha256:${sha256Hex(text)}`;
}

const DIGEST_OF_NOTHING = `sha256:${sha256Hex('{}')}`;

const fieldWhere = (
  given: Readonly<Record<string, unknown>>,
  fits: (value: unknown) => boolean,
): string | undefined => {
  const found = Object.entries(given).find((entry) => entry.some(fits))?.[0];
  return found?.toWellFormed().slice(0, 100);
};

function isJson(value: unknown): boolean {
  try {
    canonicalJson(value ?? null);
    return true;
  } catch {
    return false;
  }
}

function holdsNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  return typeof value === 'object' && value !== null && Object.entries(value).flat().some(holdsNul);
}

export function toolInput(
  tool: Tool,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const first = tool.input.check(given);
  if (first.ok) return first.value as Record<string, unknown>;
  const second = tool.input.check(readJsonText(tool.input.json, given));
  if (second.ok) return second.value as Record<string, unknown>;
  const field = first.issues[0]?.field;
  throw wrongInput(tool.server, sentence(first.issues), { ...(field && { field }), issues: first.issues });
}

/** Some clients send objects and lists as JSON text; where the schema wants one and text came, it is read. */
function readJsonText(schema: JsonSchema, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const properties = (schema.properties ?? {}) as Record<string, { readonly type?: unknown }>;
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => {
      const type = properties[key]?.type;
      const structured = type === 'object' || type === 'array';
      return [key, structured && typeof value === 'string' ? (parseOrKeep(value) ?? value) : value];
    }),
  );
}

function parseOrKeep(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

function promptInput(declared: readonly PromptArgument[], given: Readonly<Record<string, unknown>>) {
  const input: Record<string, string> = {};
  const issues: SchemaIssue[] = [];
  for (const { name, required } of declared) {
    const value = given[name];
    if (typeof value === 'string') input[name] = value;
    else if (value !== undefined) issues.push({ field: name, wanted: 'must be a string' });
    else if (required) issues.push({ field: name, wanted: 'is required (string)' });
  }
  const [first] = issues;
  if (first) throw new SluiceError('invalid_request', sentence(issues), { field: first.field, issues });
  return input;
}

/** What a provider's tool takes is the provider's to say, so the code is one of theirs. */
function wrongInput(server: string, wanted: string, details: ErrorDetails): SluiceError {
  if (server === BUILT_IN) return new SluiceError('invalid_input', wanted, details);
  const code = 'DELEG_REQUEST_SCHEMA_INVALID';
  const diagnostic = 'DELEG_GATEWAY_MCP_ARGUMENTS_INVALID';
  return new SluiceError(code, `${code}: ${wanted}`, { provider: server, ...details, diagnostic });
}

const sentence = (issues: readonly SchemaIssue[]): string =>
  issues.map(({ field, wanted }) => `${field === '' ? 'The input' : `"${field}"`} ${wanted}`).join('; ');

/** Ids in arguments are claims: present, and equal to what the caller is bound to. */
function matchScopedIds(
  scoped: readonly ScopedId[],
  input: Readonly<Record<string, unknown>>,
  caller: Caller,
  draft: AuditDraft,
): void {
  const { task, job, project, run } = caller.context;
  const bound: Record<ScopedId, string | undefined> = {
    task_id: task,
    job_id: job,
    project_id: project,
    run_id: run,
  };
  for (const id of scoped) {
    const claimed = input[id];
    if (claimed === undefined)
      throw new SluiceError('invalid_input', `"${id}" is required (string)`, { field: id });
    if (caller.role !== 'owner' && claimed !== bound[id]) {
      draft.refusedBy('scoped_id');
      throw new SluiceError('not_found', `There is no ${id.replace('_id', '')} "${String(claimed)}"`, {
        field: id,
      });
    }
  }
}

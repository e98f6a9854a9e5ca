/** One shape for every schema of the catalogue, whether declared with zod or brought by a provider as JSON Schema. */
import { z } from 'zod';

export type JsonSchema = { readonly [key: string]: unknown };

export interface SchemaIssue {
  /** Dotted path of the wrong field; empty for the value as a whole. */
  readonly field: string;
  /** What is wanted, as the end of a sentence that begins with the field. */
  readonly wanted: string;
}

export type SchemaAnswer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly SchemaIssue[] };

export interface Schema<T = unknown> {
  readonly json: JsonSchema;
  check(value: unknown): SchemaAnswer<T>;
}

/** `io` says which side of the declaration the wire sees: what goes in (defaults optional) or what comes out. */
export function zodSchema<S extends z.ZodType>(declared: S, io: 'input' | 'output'): Schema<z.output<S>> {
  let json: JsonSchema | undefined;
  return {
    get json() {
      json ??= wireSchema(declared, io);
      return json;
    },
    check(value) {
      const answer = declared.safeParse(value, { reportInput: true });
      if (answer.success) return { ok: true, value: answer.data };
      return { ok: false, issues: answer.error.issues.slice(0, 8).map(describeIssue) };
    },
  };
}

function wireSchema(declared: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(declared, { io, target: 'draft-2020-12' });
  return JSON.parse(JSON.stringify(json), (key, value) => (isNoise(key, value) ? undefined : value));
}

/** Unknown keys are dropped, never refused; and that keys are text is known, while few clients know the word. */
function isNoise(key: string, value: unknown): boolean {
  // Some clients know schemas only as objects; that a tuple ends is said by what it holds.
  if (key === 'additionalProperties' || key === 'items') return value === false;
  return key === 'propertyNames' && JSON.stringify(value) === '{"type":"string"}';
}

function describeIssue(issue: z.core.$ZodIssue): SchemaIssue {
  const field = issue.path.map(String).join('.');
  switch (issue.code) {
    case 'invalid_type':
      return {
        field,
        wanted:
          issue.input === undefined
            ? `is required (${nameOfType(issue.expected)})`
            : `must be ${article(nameOfType(issue.expected))}`,
      };
    case 'invalid_value':
      return {
        field,
        wanted: `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`,
      };
    case 'too_big':
      return { field, wanted: `must be at most ${issue.maximum}${unit(issue.origin)}` };
    case 'too_small':
      return { field, wanted: `must be at least ${issue.minimum}${unit(issue.origin)}` };
    case 'invalid_union':
      return describeUnion(field, issue.errors, issue.input === undefined);
    default:
      return { field, wanted: issue.message.replace(/^Invalid/, 'is not valid:') };
  }
}

/** Where the value has one of the types, what is wrong further in; else all that it may be. */
function describeUnion(
  field: string,
  branches: readonly (readonly z.core.$ZodIssue[])[],
  missing: boolean,
): SchemaIssue {
  const inner = branches.flat().find(({ path }) => path.length > 0);
  if (inner) {
    const { field: below, wanted } = describeIssue(inner);
    return { field: [field, below].filter((part) => part !== '').join('.'), wanted };
  }
  const kinds = inWords([...new Set(branches.flat().map(kindOf))]);
  if (missing) return { field, wanted: `is required (${kinds})` };
  return { field, wanted: kinds === '' ? 'must have another type' : `must be ${kinds}` };
}

const kindOf = (issue: z.core.$ZodIssue): string =>
  issue.code === 'invalid_type'
    ? article(nameOfType(issue.expected))
    : describeIssue(issue).wanted.replace(/^must be /, '');

const inWords = (kinds: readonly string[]): string =>
  kinds.length < 2 ? kinds.join() : `${kinds.slice(0, -1).join(', ')} or ${kinds.at(-1)}`;

/** Types as a caller knows them from JSON. */
function nameOfType(expected: string): string {
  if (expected === 'int') return 'whole number';
  return expected === 'record' ? 'object' : expected;
}

function article(type: string): string {
  if (type === 'null') return type;
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function unit(origin: string): string {
  if (origin === 'string') return ' characters long';
  if (origin === 'array') return ' items long';
  return '';
}

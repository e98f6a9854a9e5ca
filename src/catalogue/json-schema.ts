/**
 * Checks values against a JSON Schema that somebody else wrote: types, required fields, values and bounds. Patterns
 * and formats are left to whoever wrote them, since a pattern can be made to run for ever; unknown words mean nothing.
 */
import type { JsonSchema, Schema, SchemaIssue } from './schema.ts';

/** Far more than a sensible schema needs; one that needs more is taken as met. */
const MAX_STEPS = 20_000;
const MAX_DEPTH = 100;
const MAX_ISSUES = 8;

export function jsonSchema(json: JsonSchema): Schema {
  return {
    json,
    check(value) {
      const issues: SchemaIssue[] = [];
      look({ root: json, issues, steps: 0, depth: 0 }, json, value, '');
      return issues.length === 0 ? { ok: true, value } : { ok: false, issues: issues.slice(0, MAX_ISSUES) };
    },
  };
}

interface Looking {
  readonly root: JsonSchema;
  readonly issues: SchemaIssue[];
  steps: number;
  depth: number;
}

function look(at: Looking, schema: unknown, value: unknown, field: string): void {
  at.steps += 1;
  if (at.steps > MAX_STEPS || at.depth > MAX_DEPTH || at.issues.length >= MAX_ISSUES) return;
  at.depth += 1;
  lookInto(at, schema, value, field);
  at.depth -= 1;
}

function lookInto(at: Looking, schema: unknown, value: unknown, field: string): void {
  if (schema === false) at.issues.push({ field, wanted: 'must not be there' });
  if (!isObject(schema)) return;
  if (typeof schema.$ref === 'string') {
    look(at, resolve(at.root, schema.$ref), value, field);
    return;
  }
  const wanted = wrong(schema, value);
  if (wanted !== undefined) {
    at.issues.push({ field, wanted });
    return;
  }
  for (const part of listOf(schema.allOf)) look(at, part, value, field);
  lookAlternatives(at, schema, value, field);
  if (Array.isArray(value)) lookItems(at, schema, value, field);
  else if (isObject(value)) lookProperties(at, schema, value, field);
}

function lookAlternatives(at: Looking, schema: JsonSchema, value: unknown, field: string): void {
  for (const word of ['anyOf', 'oneOf']) {
    const parts = listOf(schema[word]);
    if (parts.length > 0 && !parts.some((part) => meets(at, part, value)))
      at.issues.push({ field, wanted: 'must have another form' });
  }
}

function meets(at: Looking, schema: unknown, value: unknown): boolean {
  const inner: Looking = { root: at.root, issues: [], steps: at.steps, depth: at.depth };
  look(inner, schema, value, '');
  at.steps = inner.steps;
  return inner.issues.length === 0;
}

function lookItems(at: Looking, schema: JsonSchema, value: readonly unknown[], field: string): void {
  const first = listOf(schema.prefixItems);
  for (const [index, item] of value.entries())
    look(at, first[index] ?? schema.items, item, join(field, String(index)));
}

function lookProperties(at: Looking, schema: JsonSchema, value: JsonSchema, field: string): void {
  const properties = isObject(schema.properties) ? schema.properties : {};
  for (const name of listOf(schema.required)) {
    if (typeof name === 'string' && !Object.hasOwn(value, name))
      at.issues.push({ field: join(field, name), wanted: 'is required' });
  }
  for (const [name, inner] of Object.entries(value)) {
    const known = Object.hasOwn(properties, name);
    // Which names a pattern means is not looked at, so neither is what is left over.
    const other = schema.patternProperties === undefined ? schema.additionalProperties : undefined;
    if (known) look(at, properties[name], inner, join(field, name));
    else if (other === false) at.issues.push({ field: join(field, name), wanted: 'is not known' });
    else look(at, other, inner, join(field, name));
  }
}

function wrong(schema: JsonSchema, value: unknown): string | undefined {
  const types = typeof schema.type === 'string' ? [schema.type] : listOf(schema.type);
  if (types.length > 0 && !types.some((type) => isOfType(type, value)))
    return `must be of type ${types.join(' or ')}`;
  if (Array.isArray(schema.enum) && !schema.enum.some((one) => same(one, value)))
    return `must be one of ${schema.enum
      .slice(0, 20)
      .map((one) => JSON.stringify(one))
      .join(', ')}`;
  if ('const' in schema && !same(schema.const, value)) return `must be ${JSON.stringify(schema.const)}`;
  if (typeof value === 'number') return outside(value, schema.minimum, schema.maximum, '');
  if (typeof value === 'string')
    return outside([...value].length, schema.minLength, schema.maxLength, ' characters long');
  return Array.isArray(value)
    ? outside(value.length, schema.minItems, schema.maxItems, ' items long')
    : undefined;
}

function outside(size: number, least: unknown, most: unknown, unit: string): string | undefined {
  if (typeof least === 'number' && size < least) return `must be at least ${least}${unit}`;
  return typeof most === 'number' && size > most ? `must be at most ${most}${unit}` : undefined;
}

function isOfType(type: unknown, value: unknown): boolean {
  switch (type) {
    case 'object':
      return isObject(value);
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value);
    case 'null':
      return value === null;
    case 'number':
    case 'string':
    case 'boolean':
      return typeof value === type;
    default:
      return true;
  }
}

/** Only within the schema itself; what cannot be found asks for nothing. */
function resolve(root: JsonSchema, reference: string): unknown {
  let at: unknown = root;
  for (const part of reference.replace(/^#\/?/, '').split('/').filter(Boolean)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    at = isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }
  return reference.startsWith('#') ? at : undefined;
}

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const same = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

const join = (field: string, name: string): string => (field === '' ? name : `${field}.${name}`);

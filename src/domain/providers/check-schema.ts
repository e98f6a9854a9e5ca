/** Schemas that would wear out or send away whoever uses them: too large, too deep, in a circle, somewhere else, endless. */
import { isEndless } from './endless-pattern.ts';
import { isShown, type Shown } from './surface.ts';

const MAX_BYTES = 65_536;
const MAX_DEPTH = 40;
const MAX_CHAIN = 100;

/** The first thing that is wrong with it. */
export function schemaProblem(schema: unknown): string | undefined {
  if (!isShown(schema)) return 'is no schema';
  let bytes = 0;
  const stack: { readonly value: unknown; readonly depth: number }[] = [{ value: schema, depth: 1 }];
  const parts: Shown[] = [];
  for (let item = stack.pop(); item; item = stack.pop()) {
    if (item.depth > MAX_DEPTH) return `is nested deeper than ${MAX_DEPTH} levels`;
    if (typeof item.value === 'string') bytes += item.value.length;
    bytes += 8;
    if (bytes > MAX_BYTES) return `is larger than ${MAX_BYTES} bytes`;
    if (typeof item.value !== 'object' || item.value === null) continue;
    if (isShown(item.value)) parts.push(item.value);
    for (const [key, value] of Object.entries(item.value)) {
      bytes += key.length;
      stack.push({ value, depth: item.depth + 1 });
    }
  }
  // Only what is small enough is looked at any closer.
  for (const part of parts) {
    const problem =
      partProblem(part) ?? (goesInCircle(schema, part) ? 'refers to itself in a circle' : undefined);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function partProblem(part: Shown): string | undefined {
  for (const key of ['$ref', '$dynamicRef', '$recursiveRef']) {
    const to = part[key];
    if (to !== undefined && (typeof to !== 'string' || !to.startsWith('#')))
      return 'refers to a schema somewhere else';
  }
  if (typeof part.$schema === 'string' && !/^https?:\/\/json-schema\.org\//.test(part.$schema))
    return 'refers to a schema somewhere else';
  const patterns = [
    ...(typeof part.pattern === 'string' ? [part.pattern] : []),
    ...(isShown(part.patternProperties) ? Object.keys(part.patternProperties) : []),
  ];
  return patterns.some(isEndless) ? 'has a pattern that can run for ever' : undefined;
}

/** What has to be looked at in the same place; a circle of these never comes to an end. */
function samePlace(root: Shown, part: Shown): readonly Shown[] {
  const members = ['allOf', 'anyOf', 'oneOf'].flatMap((key) => (Array.isArray(part[key]) ? part[key] : []));
  const single = ['not', 'if', 'then', 'else'].map((key) => part[key]);
  const referred = typeof part.$ref === 'string' ? [resolve(root, part.$ref)] : [];
  return [...members, ...single, ...referred].filter(isShown);
}

function goesInCircle(root: Shown, start: Shown): boolean {
  if (typeof start.$ref !== 'string') return false;
  const seen = new Set<Shown>();
  let now = samePlace(root, start);
  for (let step = 0; now.length > 0; step += 1) {
    if (step > MAX_CHAIN || now.includes(start)) return true;
    now = now.filter((part) => !seen.has(part) && seen.add(part)).flatMap((part) => samePlace(root, part));
  }
  return false;
}

function resolve(root: Shown, reference: string): unknown {
  let at: unknown = root;
  for (const part of reference.replace(/^#\/?/, '').split('/').filter(Boolean)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    at = typeof at === 'object' && at !== null && Object.hasOwn(at, key) ? (at as Shown)[key] : undefined;
  }
  return at;
}

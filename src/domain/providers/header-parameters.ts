/** Arguments that the newer protocol repeats in headers, so that what stands between can decide by them. */
import { isShown, type Shown } from './surface.ts';

const KEYWORD = 'x-mcp-header';
const TOKEN = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/;
const TYPES: readonly unknown[] = ['string', 'integer', 'boolean'];
/** Hold values, not schemas. */
const VALUES = ['enum', 'const', 'default', 'examples', 'example'];

export interface HeaderParameter {
  /** The way to the argument, property by property. */
  readonly path: readonly string[];
  readonly name: string;
}

interface Found {
  readonly parameters: HeaderParameter[];
  problem: string | undefined;
}

/** Why no header can say what the schema wants one to; undefined when all is well. */
export const headerProblem = (schema: unknown): string | undefined => find(schema).problem;

export const headerParameters = (schema: unknown): readonly HeaderParameter[] => find(schema).parameters;

function find(schema: unknown): Found {
  const found: Found = { parameters: [], problem: undefined };
  const stack: { readonly value: unknown; readonly path: readonly string[] | undefined }[] = [
    { value: schema, path: [] },
  ];
  for (let item = stack.pop(); item; item = stack.pop()) {
    const { value: node, path } = item;
    if (Array.isArray(node)) for (const value of node) stack.push({ value, path: undefined });
    if (!isShown(node)) continue;
    if (Object.hasOwn(node, KEYWORD)) note(found, node, path);
    for (const [key, value] of Object.entries(node)) {
      if (key === KEYWORD || VALUES.includes(key)) continue;
      if (key !== 'properties' || !isShown(value)) stack.push({ value, path: undefined });
      else
        for (const [name, inner] of Object.entries(value))
          stack.push({ value: inner, path: path && [...path, name] });
    }
  }
  return found;
}

function note(found: Found, node: Shown, path: readonly string[] | undefined): void {
  const name = node[KEYWORD];
  const taken = found.parameters.some((one) => one.name.toLowerCase() === String(name).toLowerCase());
  if (typeof name !== 'string' || !TOKEN.test(name)) found.problem = 'wants a header that has no valid name';
  else if (path === undefined || path.length === 0)
    found.problem = `wants "${name}" in a header, which is no argument that is always in the same place`;
  else if (!TYPES.includes(node.type))
    found.problem = `wants "${name}" in a header, which is neither text nor a whole number nor yes or no`;
  else if (taken) found.problem = `wants two arguments in the header "${name}"`;
  else found.parameters.push({ path, name });
}

/** Arguments of a call that are repeated in headers of its request, as the tool's schema asks. */
import { headerParameters } from '../../domain/providers/header-parameters.ts';
import { nameOf, type ProviderSurface, type Shown } from '../../domain/providers/surface.ts';
import { headerText } from './header-text.ts';

export function mirroredHeaders(
  surface: ProviderSurface | undefined,
  tool: unknown,
  given: unknown,
): Readonly<Record<string, string>> {
  const shown = surface?.tools.find((one) => nameOf(one) === tool);
  const headers: Record<string, string> = {};
  for (const { path, name } of parametersOf(shown)) {
    const value = path.reduce<unknown>((at, key) => (at as Shown | undefined | null)?.[key], given);
    if (['string', 'number', 'boolean'].includes(typeof value))
      headers[`mcp-param-${name.toLowerCase()}`] = headerText(String(value));
  }
  return headers;
}

/** A schema is looked through once, however often its tool is called. */
const known = new WeakMap<Shown, ReturnType<typeof headerParameters>>();

function parametersOf(tool: Shown | undefined): ReturnType<typeof headerParameters> {
  if (!tool) return [];
  const before = known.get(tool);
  if (before) return before;
  const found = headerParameters(tool.inputSchema);
  known.set(tool, found);
  return found;
}

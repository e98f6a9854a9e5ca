/** Bounds and names: what is too large, too deep or named to deceive is found before anything is admitted. */

import { schemaProblem } from './check-schema.ts';
import { headerProblem } from './header-parameters.ts';
import { looksLike } from './look-alike.ts';
import { nameOf, type ProviderSurface, type Shown } from './surface.ts';

export interface SurfaceFinding {
  readonly severity: 'note' | 'hold';
  /** The tool, prompt or part it is about. */
  readonly about: string;
  readonly field: string;
  readonly problem: string;
}

export const MAX_TOOLS = 512;
const MAX_DESCRIPTION = 8_192;
/** Of the whole wire name; the provider's own part is what is left of it. */
const MAX_WIRE_NAME = 64;
const TOOL_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?$/;

const wireName = (provider: string, tool: string): string => `${provider}.${tool}`;

/** Everything odd; a tool with a `hold` cannot be admitted. */
export function checkSurface(provider: string, surface: ProviderSurface): readonly SurfaceFinding[] {
  const found: SurfaceFinding[] = [];
  const hold = (about: string, field: string, problem: string): void => {
    found.push({ severity: 'hold', about, field, problem });
  };
  if (surface.tools.length > MAX_TOOLS)
    hold('*', 'tools', `shows more than ${MAX_TOOLS} tools, which nobody can look through`);
  const tools = surface.tools.slice(0, MAX_TOOLS);
  for (const tool of tools) checkTool(provider, tool, hold);
  checkLikeness(tools.map(nameOf), hold);
  return found;
}

type Hold = (about: string, field: string, problem: string) => void;

function checkTool(provider: string, tool: Shown, hold: Hold): void {
  const name = nameOf(tool);
  if (!TOOL_NAME.test(name)) hold(name, 'name', 'has characters that a tool name cannot have');
  else if (wireName(provider, name).length > MAX_WIRE_NAME)
    hold(name, 'name', `is longer than ${MAX_WIRE_NAME} characters with the provider's id before it`);
  if (typeof tool.description === 'string' && tool.description.length > MAX_DESCRIPTION)
    hold(name, 'description', `has ${tool.description.length} characters, at most ${MAX_DESCRIPTION} pass`);
  for (const field of ['inputSchema', 'outputSchema'] as const) {
    const problem =
      tool[field] === undefined ? undefined : (schemaProblem(tool[field]) ?? headerProblem(tool[field]));
    if (problem !== undefined) hold(name, field, problem);
  }
}

/** Names that a person or a model would take for each other: all of them are held. */
function checkLikeness(names: readonly string[], hold: Hold): void {
  const byLook = new Map<string, string[]>();
  for (const name of names) byLook.set(looksLike(name), [...(byLook.get(looksLike(name)) ?? []), name]);
  for (const alike of byLook.values()) {
    if (alike.length < 2) continue;
    for (const name of alike)
      hold(name, 'name', `looks like ${alike.filter((other) => other !== name)[0] ?? 'itself, given twice'}`);
  }
}

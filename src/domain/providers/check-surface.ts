/** Bounds and names: what is too large, too deep or named to deceive is found before anything is admitted. */
import { providerToolName, withoutDots } from '../../kernel/provider-names.ts';
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
const MAX_NAME = 128;
const TOOL_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?$/;

/** Everything odd; a tool with a `hold` cannot be admitted. */
export function checkSurface(provider: string, surface: ProviderSurface): readonly SurfaceFinding[] {
  const found: SurfaceFinding[] = [];
  const hold = (about: string, field: string, problem: string): void => {
    found.push({ severity: 'hold', about, field, problem });
  };
  if (surface.tools.length > MAX_TOOLS)
    hold('*', 'tools', `shows more than ${MAX_TOOLS} tools, which nobody can look through`);
  const tools = surface.tools.slice(0, MAX_TOOLS);
  for (const tool of tools) checkTool(tool, hold);
  checkLikeness(tools.map(nameOf), hold);
  checkWireNames(provider, tools.map(nameOf), hold);
  return found;
}

type Hold = (about: string, field: string, problem: string) => void;

function checkTool(tool: Shown, hold: Hold): void {
  const name = nameOf(tool);
  if (!TOOL_NAME.test(name)) hold(name, 'name', 'has characters that a tool name cannot have');
  else if (name.length > MAX_NAME) hold(name, 'name', `is longer than ${MAX_NAME} characters`);
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

/** Names are cut by digest, and a digest can be aimed at: tools that would answer to the same name are all held. */
function checkWireNames(provider: string, names: readonly string[], hold: Hold): void {
  const owners = new Map<string, Set<string>>();
  for (const name of names) {
    const wire = providerToolName(provider, name);
    for (const form of [wire, withoutDots(wire)]) owners.set(form, (owners.get(form) ?? new Set()).add(name));
  }
  for (const [form, same] of owners)
    if (same.size > 1) for (const name of same) hold(name, 'name', `answers to "${form}", as another does`);
}

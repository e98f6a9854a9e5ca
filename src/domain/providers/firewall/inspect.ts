/** The output firewall: everything a provider says passes here before anybody sees it. */
import type { SurfaceFinding } from '../check-surface.ts';
import type { ProviderProfile } from '../profile.ts';
import type { ProviderContent, ProviderResult } from '../result.ts';
import { nameOf, type ProviderSurface, type Shown } from '../surface.ts';
import { removeInvisible } from './invisible.ts';
import type { FirewallFinding, Inspection } from './verdict.ts';

export function inspect({ limits }: ProviderProfile, result: ProviderResult): Inspection {
  const count = { removed: 0, bytes: 0 };
  const clean = (text: string): string => {
    const { text: kept, removed } = removeInvisible(text);
    count.removed += removed;
    count.bytes += Buffer.byteLength(kept);
    return kept;
  };
  const cleaned: ProviderResult = {
    ...result,
    content: result.content.map((block) => cleanBlock(block, clean)),
    structured: result.structured && (cleanValue(result.structured, clean) as Shown),
  };
  const findings: FirewallFinding[] = [];
  if (count.removed > 0)
    findings.push({ rule: 'invisible', family: 'HIDDEN_TEXT', action: 'redact', count: count.removed });
  if (count.bytes > limits.textBytes)
    findings.push({ rule: 'too-large', family: 'SIZE', action: 'block', count: count.bytes });
  const verdict = count.bytes > limits.textBytes ? 'SCHEMA_INVALID' : 'ACCEPTED_OBSERVATION';
  return { verdict, result: cleaned, findings };
}

function cleanBlock(block: ProviderContent, clean: (text: string) => string): ProviderContent {
  if (block.type === 'text') return { ...block, text: clean(block.text) };
  if (block.type === 'resource' && 'text' in block.resource)
    return { ...block, resource: { ...block.resource, text: clean(block.resource.text) } };
  return block;
}

function cleanValue(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) return value.map((item) => cleanValue(item, clean));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [clean(key), cleanValue(inner, clean)]),
  );
}

/** Descriptors are read by models as well: what is hidden in them holds the tool. */
export function screenSurface(surface: ProviderSurface): readonly SurfaceFinding[] {
  const found: SurfaceFinding[] = [];
  const look = (about: string, path: string, value: unknown): void => {
    if (typeof value === 'string' && removeInvisible(value).removed > 0)
      found.push({ severity: 'hold', about, field: path, problem: 'holds characters that cannot be seen' });
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value))
      look(about, path === '' ? key : `${path}.${key}`, inner);
  };
  for (const tool of surface.tools) look(nameOf(tool), '', tool);
  for (const [field, value] of Object.entries({
    instructions: surface.instructions,
    prompts: surface.prompts,
  }))
    look('*', field, value);
  return found;
}

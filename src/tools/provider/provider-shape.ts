/** How a provider looks in answers. Secrets are no part of a profile, so everything in it may be shown to its owner. */
import { z } from 'zod';
import { OWNER_ONLY } from '../../catalogue/registration.ts';
import type { Provider } from '../../domain/providers/ports/provider-store.ts';

import type { Transport } from '../../domain/providers/profile.ts';
import { suggestedEffect } from '../../domain/providers/suggested-effect.ts';
import { nameOf, only, pinOfTool, type Shown, TOOL_FIELDS } from '../../domain/providers/surface.ts';
import { estimateTokens } from '../../domain/workspace/token-budget.ts';
import { providerToolName } from '../../kernel/provider-names.ts';

/** Only the owner manages providers, and also while everything is switched off. */
export const OWNER_OF_PROVIDERS = { ...OWNER_ONLY, scopes: ['providers.manage'] } as const;

export const idArgument = z.string().max(64).describe('The id of the provider');
export const reasonArgument = z.string().min(1).max(1_000).describe('Why; kept with the change');

export const providerFacts = {
  id: z.string(),
  display_name: z.string(),
  provider_kind: z.literal('MCP_TOOL_PROVIDER'),
  transport_kind: z.string(),
  /** The exact words that are run, or the address. */
  target: z.string(),
  /** Where a program is run; null for an address, and for one that is run wherever Sluice is or is shut in. */
  folder: z.string().nullable(),
  /** What a program that is shut in may use; null for one that is not. */
  isolation: z.string().nullable(),
  state: z.string(),
  reason_code: z.string(),
  reason: z.string(),
  trust_tier: z.string(),
  credential_ref: z.string().nullable(),
  allowed_tools: z.array(z.string()),
  /** What it may ask the one who calls for. */
  relays: z.array(z.string()),
  allowed_hosts: z.array(z.string()),
  updated_at: z.string(),
};

export const toolFacts = z.object({
  name: z.string(),
  wire_name: z.string(),
  admitted: z.boolean(),
  pin: z.string(),
  effect_class: z.string(),
  effect_confirmed: z.boolean().describe('By a person; else it is what the tool says of itself'),
  description: z.string(),
  tokens: z.int().describe('About what it costs in a list'),
  findings: z.array(z.string()),
});

export const driftFacts = z.object({
  what: z.string(),
  name: z.string(),
  kind: z.string(),
  fields: z.array(
    z.object({ path: z.string(), before: z.string().nullable(), after: z.string().nullable() }),
  ),
});

export function factsOf({ profile, state, reasonCode, reason, updatedAt }: Provider) {
  const { transport } = profile;
  return {
    id: profile.id,
    display_name: profile.displayName,
    provider_kind: 'MCP_TOOL_PROVIDER' as const,
    transport_kind: transport.kind,
    target:
      transport.kind === 'stdio_command'
        ? [transport.command, ...transport.args].map(quoted).join(' ')
        : transport.url,
    folder: transport.kind === 'stdio_command' ? transport.folder : null,
    isolation: isolationOf(transport),
    state,
    reason_code: reasonCode,
    reason,
    trust_tier: profile.trust,
    credential_ref: profile.credentialRef,
    allowed_tools: profile.allowedTools.map(({ name }) => name),
    relays: [...(profile.relays ?? [])],
    allowed_hosts: [...(profile.allowedHosts ?? [])],
    updated_at: new Date(updatedAt).toISOString(),
  };
}

export function toolsOf(provider: Provider): z.input<typeof toolFacts>[] {
  const { profile, seen, admitted, findings } = provider;
  const allowed = new Map(profile.allowedTools.map((tool) => [tool.name, tool]));
  return (
    (seen ?? admitted)?.tools.map((tool) => {
      const name = nameOf(tool);
      return {
        name,
        wire_name: providerToolName(profile.id, name),
        admitted: allowed.has(name),
        pin: allowed.get(name)?.pin ?? pinOfTool(tool),
        effect_class: allowed.get(name)?.effect ?? suggestedEffect(tool),
        effect_confirmed: allowed.get(name)?.confirmed === true,
        description: shownText(tool),
        tokens: estimateTokens(JSON.stringify(only(tool, TOOL_FIELDS))),
        findings: findings
          .filter(({ about }) => about === name)
          .map(({ severity, field, problem }) => `${severity}: ${field} ${problem}`),
      };
    }) ?? []
  );
}

export const driftOf = ({ drift }: Provider): z.input<typeof driftFacts>[] =>
  drift.map((one) => ({ ...one, fields: one.fields.map((field) => ({ ...field })) }));

function isolationOf(transport: Transport): string | null {
  if (transport.kind !== 'stdio_command' || !transport.isolation) return null;
  const { kind, read, write, network } = transport.isolation;
  const listed = (paths: readonly string[]): string => paths.map(quoted).join(' ') || 'nothing';
  return `${kind}, reads ${listed(read)}, writes ${listed(write)}, ${network ? 'with' : 'no'} network`;
}

const shownText = ({ description }: Shown): string =>
  typeof description === 'string' ? description.slice(0, 2_000) : '';

/** As one would type it, so that hidden spaces and quotes show. */
const quoted = (part: string): string =>
  /^[\w@%+=:,./-]+$/.test(part) ? part : `'${part.replaceAll("'", "'\\''")}'`;

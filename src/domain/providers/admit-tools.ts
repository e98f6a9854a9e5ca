/** From a surface that was looked at to an allowlist with pins. */
import { invalidInput } from '../../kernel/errors.ts';
import { admittedRest, type RestChoice } from './admit-rest.ts';
import type { Provider } from './ports/provider-store.ts';
import type { AllowedTool, EffectClass, TrustTier } from './profile.ts';
import type { Review } from './review-provider.ts';
import { isStricter, suggestedEffect } from './suggested-effect.ts';
import { nameOf, type ProviderSurface, pinOfRest, pinOfTool, type Shown } from './surface.ts';

export function admittedNames(
  before: Provider,
  seen: ProviderSurface,
  wanted: Review['admit'],
): readonly string[] {
  const shown = seen.tools.map(nameOf);
  const held = heldNames(before);
  if (held.has('*'))
    throw invalidInput(
      'admit',
      `is not possible: the whole provider is held by a finding; see: sluice provider inspect ${before.profile.id}`,
    );
  if (wanted === 'all') {
    const free = shown.filter((name) => !held.has(name));
    if (free.length === 0)
      throw invalidInput('admit', 'leaves nothing: the provider shows no tool that may be let in');
    return free;
  }
  if (wanted.length === 0) throw invalidInput('admit', 'must name at least one tool');
  for (const name of wanted) {
    if (!shown.includes(name))
      throw invalidInput('admit', `names "${name}", which the provider does not show`);
    if (held.has(name))
      throw invalidInput('admit', `names "${name}", which is held: ${problemOf(before, name)}`);
  }
  return [...new Set(wanted)];
}

export const heldNames = ({ findings }: Provider): ReadonlySet<string> =>
  new Set(findings.filter(({ severity }) => severity === 'hold').map(({ about }) => about));

const problemOf = ({ findings }: Provider, name: string): string => {
  const found = findings.find(({ about, severity }) => about === name && severity === 'hold');
  return found ? `${found.field} ${found.problem}` : '';
};

export function admit(
  provider: Provider,
  seen: ProviderSurface,
  names: readonly string[],
  trust: TrustTier,
  effects: Readonly<Record<string, EffectClass>>,
  rest: RestChoice,
  /** A person has named each of them. */
  named: boolean,
): Provider {
  const byName = new Map(seen.tools.map((tool) => [nameOf(tool), tool]));
  const allowedTools = names.map((name): AllowedTool => {
    const tool = byName.get(name) ?? {};
    const given = effects[name];
    const effect = given ? { effect: given, confirmed: true } : effectOf(provider, tool, named);
    return { name, pin: pinOfTool(tool), ...effect };
  });
  const profile = {
    ...provider.profile,
    allowedTools,
    surfacePin: pinOfRest(seen),
    ...admittedRest(seen, heldNames(provider), rest),
    trust,
  };
  return { ...provider, profile, admitted: seen, drift: [] };
}

/**
 * A tool that was taken for dangerous once is not taken for harmless because it now says so. What a person said of it
 * holds until it says something more dangerous than it did then.
 */
function effectOf(
  { profile, admitted }: Provider,
  tool: Shown,
  named: boolean,
): Pick<AllowedTool, 'effect' | 'confirmed'> {
  const suggested = suggestedEffect(tool);
  const known = profile.allowedTools.find(({ name }) => name === nameOf(tool));
  const before = admitted?.tools.find((shown) => nameOf(shown) === nameOf(tool));
  if (known?.confirmed && before && !isStricter(suggested, suggestedEffect(before)))
    return { effect: known.effect, confirmed: true };
  const effect = known && isStricter(known.effect, suggested) ? known.effect : suggested;
  return { effect, ...(named && { confirmed: true }) };
}

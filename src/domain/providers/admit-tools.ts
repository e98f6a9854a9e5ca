/** From a surface that was looked at to an allowlist with pins. */
import { invalidInput } from '../../kernel/errors.ts';
import { admittedRest, type RestChoice } from './admit-rest.ts';
import type { Provider } from './ports/provider-store.ts';
import type { EffectClass, TrustTier } from './profile.ts';
import type { Review } from './review-provider.ts';
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
): Provider {
  const byName = new Map(seen.tools.map((tool) => [nameOf(tool), tool]));
  const allowedTools = names.map((name) => {
    const tool = byName.get(name) ?? {};
    const known = provider.profile.allowedTools.find((allowed) => allowed.name === name)?.effect;
    return { name, pin: pinOfTool(tool), effect: effects[name] ?? stricter(known, suggestedEffect(tool)) };
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

/** From the least to the most. */
const BY_DANGER: readonly EffectClass[] = [
  'READ_ONLY',
  'LOCAL_SIDE_EFFECT',
  'SENSITIVE_READ',
  'EXTERNAL_SIDE_EFFECT',
  'UNSUPPORTED_EFFECT',
];

/** A tool that was taken for dangerous once is not taken for harmless because it now says so. */
const stricter = (known: EffectClass | undefined, suggested: EffectClass): EffectClass =>
  known !== undefined && BY_DANGER.indexOf(known) > BY_DANGER.indexOf(suggested) ? known : suggested;

/**
 * What a tool says of itself only ever makes it count as more dangerous than the middle, or as reading; and reading what
 * is secret is not harmless because nothing is changed.
 */
export function suggestedEffect(tool: Shown): EffectClass {
  const annotations = (tool.annotations ?? {}) as Shown;
  if (annotations.destructiveHint === true && annotations.readOnlyHint !== true)
    return 'EXTERNAL_SIDE_EFFECT';
  if (isAboutSecrets(tool)) return 'SENSITIVE_READ';
  return annotations.readOnlyHint === true ? 'READ_ONLY' : 'LOCAL_SIDE_EFFECT';
}

const SECRET_WORDS =
  /^(?:env|environ|environment|envvars?|secrets?|credentials?|passwords?|passwd|keychain|keyring)$/;
const GIVES_SECRETS =
  /\b(?:return|get|read|list|show|print|dump|fetch|retrieve|reveal)[a-z]*\b[^.\n]{0,40}\b(?:environment variables?|secrets?|credentials?|passwords?|(?:private|api) keys?)\b/i;

/** By its name, or by what it says that it gives out. */
function isAboutSecrets(tool: Shown): boolean {
  const words = nameOf(tool)
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
  return words.some((word) => SECRET_WORDS.test(word)) || GIVES_SECRETS.test(String(tool.description ?? ''));
}

/** What a tool does, by what it says of itself; a person may say otherwise. */
import type { EffectClass } from './profile.ts';
import { nameOf, type Shown } from './surface.ts';

/** From the least to the most. */
const BY_DANGER: readonly EffectClass[] = [
  'READ_ONLY',
  'LOCAL_SIDE_EFFECT',
  'SENSITIVE_READ',
  'EXTERNAL_SIDE_EFFECT',
  'UNSUPPORTED_EFFECT',
];

export const isStricter = (one: EffectClass, other: EffectClass): boolean =>
  BY_DANGER.indexOf(one) > BY_DANGER.indexOf(other);

/**
 * What says nothing of itself is in the middle, where the policy decides whether somebody is asked; where it contradicts
 * itself, the worse counts. Reading what is secret is not harmless because nothing is changed.
 */
export function suggestedEffect(tool: Shown): EffectClass {
  const { readOnlyHint, destructiveHint, openWorldHint } = (tool.annotations ?? {}) as Shown;
  const reads = readOnlyHint === true;
  if (destructiveHint === true || (openWorldHint === true && !reads)) return 'EXTERNAL_SIDE_EFFECT';
  if (isAboutSecrets(tool)) return 'SENSITIVE_READ';
  return reads ? 'READ_ONLY' : 'LOCAL_SIDE_EFFECT';
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

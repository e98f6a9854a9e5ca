/** What leaves with a call: credentials of known forms are not handed to somebody else's server, whole or in pieces. */
import type { ProviderProfile } from '../profile.ts';
import { refusal } from '../refusals.ts';
import { beginningsOf, secretSpans } from './find-secrets.ts';
import { argumentAction, type FirewallRules } from './rules.ts';

/** Refuses by throwing; answers how the arguments ended. */
export function checkArguments(
  rules: FirewallRules,
  { id, trust }: Pick<ProviderProfile, 'id' | 'trust'>,
  input: unknown,
  before: string,
): string {
  const texts: { readonly field: string; readonly text: string }[] = [];
  collect(input, '', texts);
  for (const { field, text } of texts) refuse(rules, trust, id, text, field);
  // The end of what was sent last comes first: it was let through as too little to be anything.
  const parts = [before, ...texts.map(({ text }) => text)];
  refuse(rules, trust, id, parts.join(''), 'arguments', beginningsOf(parts));
  // A call without words between two halves does not part them.
  return texts.at(-1)?.text ?? before;
}

function refuse(
  rules: FirewallRules,
  trust: ProviderProfile['trust'],
  provider: string,
  text: string,
  field: string,
  beginnings?: ReadonlySet<number>,
): void {
  const found = secretSpans(rules, text, beginnings).find(
    (span) => span.sure && argumentAction(rules, span.class, trust) === 'block',
  );
  if (!found) return;
  throw refusal(
    'DELEG_PROVIDER_BLOCKED',
    provider,
    `"${field}" holds a credential (${found.rule}), which is not sent to "${provider}"; leave it out`,
    { field, rule: found.rule, diagnostic: 'DELEG_GATEWAY_MCP_CREDENTIAL_BLOCKED' },
  );
}

/** In the order in which they stand; deeper than anything we accept is refused before. */
function collect(value: unknown, path: string, texts: { field: string; text: string }[]): void {
  if (typeof value === 'string') texts.push({ field: path, text: value });
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value))
    collect(inner, path === '' ? key : `${path}.${key}`, texts);
}

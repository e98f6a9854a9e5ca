/**
 * What leaves with a call: what the rules do not let go is not handed to somebody else's server, whole or in pieces; of
 * the rest it is remembered what it was.
 */
import type { ProviderProfile } from '../profile.ts';
import { refusal } from '../refusals.ts';
import { beginningsOf, secretSpans } from './find-secrets.ts';
import { argumentAction, type FirewallRules } from './rules.ts';
import type { Sensitivity, Span } from './token-shapes.ts';

export interface CheckedArguments {
  /** The rules for what was found and let go. */
  readonly passed: readonly string[];
  /** How they ended. */
  readonly ending: string;
}

interface Given {
  readonly field: string;
  readonly text: string;
}

/** Refuses by throwing. */
export function checkArguments(
  rules: FirewallRules,
  { id, trust }: Pick<ProviderProfile, 'id' | 'trust'>,
  input: unknown,
  before: string,
): CheckedArguments {
  const passed = new Set<string>();
  const look = (field: string, spans: readonly Span[]): void => {
    for (const span of spans) {
      if (!span.doubtful && argumentAction(rules, span.class, trust) === 'block')
        throw refused(id, field, span);
      passed.add(span.rule);
    }
  };
  const texts: Given[] = [];
  const others: Given[] = [];
  collect(input, '', texts, others);
  for (const { field, text } of [...texts, ...others]) look(field, secretSpans(rules, text));
  // The end of what was sent last comes first: it was let through as too little to be anything.
  const parts = [before, ...texts.map(({ text }) => text)];
  const joined = secretSpans(rules, parts.join(''), beginningsOf(parts));
  look(
    'arguments',
    joined.filter(({ sure }) => sure),
  );
  // A call without words between two halves does not part them.
  return { passed: [...passed], ending: texts.at(-1)?.text ?? before };
}

const refused = (provider: string, field: string, { rule, class: sensitivity }: Span) =>
  refusal(
    'DELEG_PROVIDER_BLOCKED',
    provider,
    `"${field}" holds ${KINDS[sensitivity]} (${rule}), which is not sent to "${provider}"; leave it out`,
    { field, rule, diagnostic: 'DELEG_GATEWAY_MCP_CREDENTIAL_BLOCKED' },
  );

const KINDS: Readonly<Record<Sensitivity, string>> = {
  CREDENTIAL_LIKE: 'a credential',
  REGULATED: 'a number that the law protects',
  UNKNOWN_SENSITIVE: 'what may be a secret',
  USER_PRIVATE: 'personal data',
};

/** In the order in which they stand, names and numbers apart; deeper than anything we accept is refused before. */
function collect(value: unknown, path: string, texts: Given[], others: Given[]): void {
  if (typeof value === 'string') texts.push({ field: path, text: value });
  if (typeof value === 'number') others.push({ field: path, text: String(value) });
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (!Array.isArray(value)) others.push({ field: path === '' ? 'arguments' : path, text: key });
    collect(inner, path === '' ? key : `${path}.${key}`, texts, others);
  }
}

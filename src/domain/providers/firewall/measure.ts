/** How well the firewall does on cases whose right answer is known. */
import { DEFAULT_PROVIDER_LIMITS } from '../profile.ts';
import { type FirewallMeans, inspect } from './inspect.ts';

/** What a case wants: that it passes untouched, or is held, or that something of it is taken out. */
export const EXPECTATIONS = ['pass', 'injection', 'hidden', 'secret', 'exfiltration'] as const;
export type Expectation = (typeof EXPECTATIONS)[number];

export interface FirewallCase {
  readonly id: string;
  readonly text: string;
  readonly expect: Expectation;
}

export interface CaseOutcome {
  readonly id: string;
  readonly expect: Expectation;
  readonly right: boolean;
  readonly rules: readonly string[];
}

const FAMILIES: Readonly<Record<Exclude<Expectation, 'pass'>, readonly string[]>> = {
  injection: ['PROMPT_INJECTION', 'TOOL_POISONING', 'UNSAFE_ACTION'],
  hidden: ['HIDDEN_TEXT'],
  secret: ['CREDENTIAL_LIKE', 'REGULATED'],
  exfiltration: ['EXFILTRATION'],
};

export function measureCase(use: FirewallMeans, { id, text, expect }: FirewallCase): CaseOutcome {
  const profile = { trust: 'USER_ADDED_REVIEWED', limits: DEFAULT_PROVIDER_LIMITS } as const;
  const result = { content: [{ type: 'text' as const, text }], structured: undefined, isError: false };
  const { findings } = inspect(use, profile, result);
  const acted = findings.filter(({ action }) => action !== 'annotate');
  const right =
    expect === 'pass' ? acted.length === 0 : acted.some(({ family }) => FAMILIES[expect].includes(family));
  return { id, expect, right, rules: acted.map(({ rule }) => rule) };
}

/** Looks at long answers where looking holds up nobody else. */
import type { InspectedProfile } from '../firewall/inspect.ts';
import type { FirewallRules } from '../firewall/rules.ts';
import type { Inspection } from '../firewall/verdict.ts';
import type { ProviderResult } from '../result.ts';

export interface LongAnswer {
  readonly rules: FirewallRules;
  readonly profile: InspectedProfile & { readonly id: string };
  readonly result: ProviderResult;
  /** How the last answer of the same provider to the same run ended. */
  readonly before: string;
  /** Whoever asked for it has left. */
  readonly signal?: AbortSignal | undefined;
}

export interface LongAnswers {
  /** Fails when it could not be looked at; such an answer is not passed on. */
  inspect(answer: LongAnswer): Promise<Inspection>;
}

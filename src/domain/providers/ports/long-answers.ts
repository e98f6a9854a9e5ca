/** Looks at long answers where looking holds up nobody else. */
import type { InspectedProfile } from '../firewall/inspect.ts';
import type { FirewallRules } from '../firewall/rules.ts';
import type { Inspection } from '../firewall/verdict.ts';
import type { ProviderResult } from '../result.ts';

export interface LongAnswers {
  /** Fails when it could not be looked at; such an answer is not passed on. */
  inspect(
    rules: FirewallRules,
    profile: InspectedProfile,
    result: ProviderResult,
    before: string,
  ): Promise<Inspection>;
}

/** What the firewall family works with. */
import type { PolicyMeans } from '../../domain/governance/manage-policy.ts';
import type { FirewallRules } from '../../domain/providers/firewall/rules.ts';

export interface FirewallFamilyMeans {
  /** Those in force. */
  rules(): FirewallRules;
  readonly policy: PolicyMeans;
}

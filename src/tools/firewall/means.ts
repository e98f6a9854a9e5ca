/** What the firewall family works with. */
import type { FirewallMeans } from '../../domain/providers/firewall/inspect.ts';

export interface FirewallFamilyMeans {
  readonly firewall: FirewallMeans;
}

/** What the provider family works with. */
import type { ProviderFirewall } from '../../domain/providers/firewall/provider-firewall.ts';
import type { LiveProviders } from '../../domain/providers/live-providers.ts';
import type { ProviderMeans } from '../../domain/providers/means.ts';

export interface ProviderFamilyMeans
  extends ProviderMeans,
    Pick<ProviderFirewall, 'inspect' | 'inspectText' | 'checkArguments'> {
  readonly live: LiveProviders;
  /** Calls a tool of this family as Sluice itself, through the pipeline. */
  act(tool: string, input: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>>;
}

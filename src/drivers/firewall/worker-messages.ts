/** What the worker is asked; it answers with an inspection. */
import type { InspectedProfile } from '../../domain/providers/firewall/inspect.ts';
import type { RulesDocument } from '../../domain/providers/firewall/rules-document.ts';
import type { ProviderResult } from '../../domain/providers/result.ts';

export interface InspectRequest {
  /** Only where they are not the ones that came before. */
  readonly rules?: RulesDocument | undefined;
  readonly profile: InspectedProfile;
  readonly result: ProviderResult;
  readonly before: string;
}

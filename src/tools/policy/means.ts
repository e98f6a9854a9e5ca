/** What the policy family works with. */
import type { GateAnswer } from '../../domain/governance/decision.ts';
import type { PolicyMeans } from '../../domain/governance/manage-policy.ts';

export interface Explanation {
  /** The caller as the gates see it. */
  readonly caller: {
    readonly name: string;
    readonly kind: string;
    readonly role: string;
    readonly scopes: readonly string[];
  };
  /** Undefined when there is no such tool, resource or prompt at all. */
  readonly answers: readonly GateAnswer[] | undefined;
}

export interface PolicyFamilyMeans extends PolicyMeans {
  known(): { readonly tools: readonly string[]; readonly families: readonly string[] };
  /** Asks every gate for a client by name, for "owner", or for "role:" and a role. */
  explain(caller: string, tool: string): Promise<Explanation>;
}

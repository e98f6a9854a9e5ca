/** What was found so far, one line for each rule. */
import type { FirewallFinding } from './verdict.ts';

export class Findings {
  readonly #found = new Map<string, FirewallFinding>();

  add(rule: string, family: string, action: FirewallFinding['action'], count: number): void {
    const known = this.#found.get(rule);
    this.#found.set(rule, { rule, family, action, count: count + (known?.count ?? 0) });
  }

  all(): readonly FirewallFinding[] {
    return [...this.#found.values()];
  }
}

/** The firewall's rules in force: the owner's own where there are some, else those that come with Sluice. */
import type { GovernanceState } from '../domain/governance/governance-state.ts';
import { DEFAULT_RULES, type FirewallRules, readRules } from '../domain/providers/firewall/rules.ts';
import { faultFields, type Log } from '../kernel/log.ts';

export function rulesInForce(governance: GovernanceState, log: Log): () => FirewallRules {
  let read: { readonly from: unknown; readonly rules: FirewallRules } = { from: null, rules: DEFAULT_RULES };
  return () => {
    const from = governance.current().settings.firewall_rules;
    if (from !== read.from) read = { from, rules: from === null ? DEFAULT_RULES : rulesOf(from, log) };
    return read.rules;
  };
}

/** They were checked when they were taken; what a newer Sluice cannot read any more leaves ours in force. */
function rulesOf(stored: unknown, log: Log): FirewallRules {
  try {
    return readRules(stored);
  } catch (error) {
    log.error('firewall_rules_unusable', faultFields(error));
    return DEFAULT_RULES;
  }
}

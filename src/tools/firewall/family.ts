/** The firewall family: what stands between providers and everybody else. */
import { defineFamily } from '../../catalogue/family.ts';
import { check } from './check.ts';
import { checkRules } from './check-rules.ts';
import type { FirewallFamilyMeans } from './means.ts';
import { rules } from './rules.ts';
import { useRules } from './use-rules.ts';

export const firewallFamily = defineFamily<FirewallFamilyMeans>('firewall', {
  tools: [check, rules, checkRules, useRules],
});

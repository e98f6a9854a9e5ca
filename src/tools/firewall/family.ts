/** The firewall family: what stands between providers and everybody else. */
import { defineFamily } from '../../catalogue/family.ts';
import { check } from './check.ts';
import type { FirewallFamilyMeans } from './means.ts';

export const firewallFamily = defineFamily<FirewallFamilyMeans>('firewall', { tools: [check] });

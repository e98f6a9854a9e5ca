/** The policy family: roles, access rules and why a decision is as it is. */
import { defineFamily } from '../../catalogue/family.ts';
import { explain } from './explain.ts';
import type { PolicyFamilyMeans } from './means.ts';
import { list as listRoles } from './role/list.ts';
import { set as setRole } from './role/set.ts';
import { add as addRule } from './rule/add.ts';
import { list as listRules } from './rule/list.ts';
import { remove as removeRule } from './rule/remove.ts';

export const policyFamily = defineFamily<PolicyFamilyMeans>('policy', {
  tools: [explain, addRule, listRules, removeRule, listRoles, setRole],
});

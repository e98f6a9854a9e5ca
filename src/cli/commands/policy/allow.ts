/** Adds a rule that allows. */

import { addRule, RULE_ARGS, RULE_OPTIONS } from '../../add-rule.ts';
import { defineCommand } from '../../command.ts';

export const allow = defineCommand({
  path: ['policy', 'allow'],
  summary: 'Let somebody use tools that no rule allows yet; authors need none',
  args: RULE_ARGS,
  options: RULE_OPTIONS,
  examples: ["policy allow role:agent 'sandbox.*' --reason 'trusted agents'"],
  run: (context, input) => addRule(context, input, 'allow'),
});

/** Adds a rule that denies. */

import { addRule, RULE_ARGS, RULE_OPTIONS } from '../../add-rule.ts';
import { defineCommand } from '../../command.ts';

export const deny = defineCommand({
  path: ['policy', 'deny'],
  summary:
    'Keep somebody from using tools, whatever else allows them; authors too, but not the owner at the machine',
  args: RULE_ARGS,
  options: RULE_OPTIONS,
  examples: ['policy deny client:claude-code delete_page --reason "too risky"'],
  run: (context, input) => addRule(context, input, 'deny'),
});

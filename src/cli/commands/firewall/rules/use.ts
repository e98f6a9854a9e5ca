/** Puts a file of rules in force, or the built-in ones. */
import { invalidInput } from '../../../../kernel/errors.ts';
import { defineCommand, flagOf, textOf } from '../../../command.ts';
import { readRulesFile } from '../../../firewall-rules-file.ts';
import { facts } from '../../../output.ts';

export const useRules = defineCommand({
  path: ['firewall', 'rules', 'use'],
  summary: 'Put a file of rules in force at once, for every provider',
  args: [
    { name: 'file', summary: 'JSON, as "firewall rules show" prints it', optional: true, choices: 'path' },
  ],
  options: [{ name: 'built-in', summary: 'Go back to those that come with Sluice' }],
  examples: ['firewall rules use rules.json', 'firewall rules use --built-in'],
  async run({ call, output }, input) {
    const file = textOf(input, 'file');
    const builtIn = flagOf(input, 'built-in');
    if (builtIn === (file !== undefined))
      throw invalidInput('file', 'or --built-in must be given, and not both');
    const answer = await call('firewall.use_rules', {
      built_in: builtIn,
      ...(file !== undefined && { rules: readRulesFile(file) }),
    });
    output.data(answer, () => facts(answer));
  },
});

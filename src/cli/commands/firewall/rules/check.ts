/** Says whether a file of rules could be used. */
import { defineCommand, textOf } from '../../../command.ts';
import { readRulesFile } from '../../../firewall-rules-file.ts';
import { facts } from '../../../output.ts';

export const checkRules = defineCommand({
  path: ['firewall', 'rules', 'check'],
  summary: 'Say whether a file of rules could be used, and what is wrong with it',
  args: [{ name: 'file', summary: 'JSON, as "firewall rules show" prints it', choices: 'path' }],
  examples: ['firewall rules check rules.json'],
  async run({ call, output }, input) {
    const answer = await call('firewall.check_rules', { rules: readRulesFile(textOf(input, 'file') ?? '') });
    output.data(answer, () => facts(answer));
  },
});

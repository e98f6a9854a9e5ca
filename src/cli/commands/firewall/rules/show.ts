/** Shows the firewall's rules in force. */
import { defineCommand } from '../../../command.ts';

export const showRules = defineCommand({
  path: ['firewall', 'rules', 'show'],
  summary: 'Print the rules of the output firewall that are in force: a file to start from',
  examples: ['firewall rules show > rules.json', 'firewall rules show --json'],
  async run({ call, output }) {
    const answer = await call('firewall.rules', {});
    output.data(answer, () => JSON.stringify(answer.rules, null, 2));
    output.note(`Version ${String(answer.version)}, ${String(answer.source)}.`);
  },
});

/** What waits for a yes besides what always does: shows it, or changes it. */
import { invalidInput } from '../../../kernel/errors.ts';
import { type CommandInput, defineCommand, given, listOf, textOf } from '../../command.ts';
import { facts } from '../../output.ts';

const SWITCH = ['on', 'off'] as const;

export const approvalPolicy = defineCommand({
  path: ['approval', 'policy'],
  summary: 'Show or change what waits for a yes besides external effects and sensitive reads',
  options: [
    { name: 'local-effects', value: 'on|off', summary: 'Local effects wait as well', choices: SWITCH },
    {
      name: 'mixed-runs',
      value: 'on|off',
      summary: 'They wait in runs that read what is private and heard from providers (on)',
      choices: SWITCH,
    },
    {
      name: 'output-classes',
      value: 'classes',
      summary:
        'Answers with such text wait: CREDENTIAL_LIKE, REGULATED, UNKNOWN_SENSITIVE, USER_PRIVATE, or none',
      many: true,
    },
    { name: 'sessions', value: 'on|off', summary: 'A yes may last for a run', choices: SWITCH },
  ],
  examples: ['approval policy', 'approval policy --local-effects on --output-classes REGULATED'],
  async run({ call, output }, input) {
    const classes = listOf(input, 'output-classes')?.filter((name) => name !== 'none');
    const wish = given({
      local_effects: switchOf(input, 'local-effects'),
      mixed_runs: switchOf(input, 'mixed-runs'),
      output_classes: classes,
      for_session: switchOf(input, 'sessions'),
    });
    const answer =
      Object.keys(wish).length > 0
        ? await call('approval.set_policy', wish)
        : ((await call('approval.list', { limit: 1 })).policy as Record<string, unknown>);
    output.data(answer, () => facts(inWords(answer)));
  },
});

/** As the options are written. */
const inWords = (policy: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(policy).map(([name, value]) => [
      name === 'for_session' ? 'sessions' : name.replaceAll('_', '-'),
      typeof value === 'boolean' ? (value ? 'on' : 'off') : value,
    ]),
  );

function switchOf(input: CommandInput, name: string): boolean | undefined {
  const text = textOf(input, name);
  if (text === undefined) return undefined;
  if (text !== 'on' && text !== 'off') throw invalidInput(`--${name}`, `must be on or off, not "${text}"`);
  return text === 'on';
}

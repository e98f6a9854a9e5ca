/** Lets tools of a discovered provider in, or shows what there is to decide. */

import { invalidInput } from '../../../kernel/errors.ts';
import { type CommandInput, defineCommand, flagOf, given, listOf, reasonIn, textOf } from '../../command.ts';
import { EFFECT_CHOICES, RELAY_CHOICES, relaysIn, TRUST_CHOICES } from '../../provider-choices.ts';
import { reportProvider, type ShownProvider } from '../../provider-report.ts';

export const review = defineCommand({
  path: ['provider', 'review'],
  summary: 'Let tools of a provider in, each as it was shown; without options, show what there is to decide',
  args: [{ name: 'id', summary: 'The provider' }],
  options: [
    { name: 'admit', value: 'tools', summary: 'These tools, separated by commas', many: true },
    { name: 'admit-all', summary: 'Everything that no finding holds' },
    { name: 'admit-prompts', value: 'prompts', summary: 'These prompts, separated by commas', many: true },
    {
      name: 'admit-resources',
      value: 'address',
      summary: 'This resource or template, as the provider writes it; may be given again',
      many: true,
    },
    {
      name: 'relay',
      value: 'kinds',
      summary: `What it may ask the one who calls for: ${RELAY_CHOICES.join(', ')}, or none; as before if left out`,
      many: true,
    },
    {
      name: 'trust',
      value: 'tier',
      summary: 'How far it is trusted, as before if left out; given alone, nothing else is decided',
      choices: TRUST_CHOICES,
    },
    {
      name: 'effect',
      value: 'tool=class',
      summary: `What a tool does: ${EFFECT_CHOICES.join(', ')}`,
      many: true,
    },
    {
      name: 'allow-host',
      value: 'host',
      summary: 'Its answers may hold pictures and addresses of this host; may be given again',
      many: true,
    },
    { name: 'reason', value: 'text', summary: 'Why; kept with the decision' },
  ],
  examples: [
    'provider review files',
    'provider review files --admit read_file,list_directory --reason "for the docs"',
    'provider review files --admit-all --trust CONTROLLED_LOCAL --reason "our own"',
    'provider review files --trust BLOCKED --reason "sends mail to strangers"',
    'provider review notes --admit search --admit-prompts weekly --admit-resources "note:///{id}" --reason "ours"',
  ],
  async run({ call, output }, input) {
    const id = textOf(input, 'id') ?? '';
    const admit = listOf(input, 'admit');
    const all = flagOf(input, 'admit-all');
    const trust = textOf(input, 'trust');
    const answer =
      admit === undefined && !all && trust === undefined
        ? await call('provider.inspect', { id })
        : await call('provider.review', {
            id,
            admit_all: all,
            effects: effectsOf(input),
            reason: reasonIn(input),
            ...given({
              admit,
              admit_prompts: listOf(input, 'admit-prompts'),
              admit_resources: eachOf(input, 'admit-resources'),
              relay: relaysIn(input),
              trust,
              allow_hosts: listOf(input, 'allow-host'),
            }),
          });
    output.data(answer, () => reportProvider(answer as unknown as ShownProvider));
  },
});

/** Addresses may hold commas. */
function eachOf(input: CommandInput, name: string): readonly string[] | undefined {
  const value = input.options[name];
  return value === undefined || typeof value === 'boolean' ? undefined : [value].flat();
}

function effectsOf(input: CommandInput): Readonly<Record<string, string>> {
  const pairs = (listOf(input, 'effect') ?? []).map((text) => {
    const at = text.lastIndexOf('=');
    if (at < 1) throw invalidInput('--effect', `must be written tool=CLASS, not "${text}"`);
    return [text.slice(0, at), text.slice(at + 1)];
  });
  return Object.fromEntries(pairs);
}

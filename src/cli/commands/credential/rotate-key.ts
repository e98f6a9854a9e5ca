/** Exchanges the key that everything secret is sealed with. */
import { defineCommand, flagOf } from '../../command.ts';

export const rotateKey = defineCommand({
  path: ['credential', 'rotate-key'],
  summary: "Make a new master key; every credential and the owner's token are sealed anew with it",
  options: [
    { name: 'alone', summary: 'On a shared database: no other gateway that has this key is running' },
  ],
  examples: ['credential rotate-key'],
  async run({ call, output }, input) {
    const answer = await call('credential.rotate_key', { alone: flagOf(input, 'alone') });
    const { credentials, former_until } = answer;
    output.data(answer, () =>
      [
        `${credentials} credential${credentials === 1 ? '' : 's'} and the owner's token are sealed with a new key`,
        `Held and long answers still open with the one before, which is taken away after ${former_until}`,
      ].join('\n'),
    );
  },
});

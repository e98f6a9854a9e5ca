/** Completion for shells, made of the same declarations as the help. */
import { invalidInput } from '../../kernel/errors.ts';
import { type Command, defineCommand, textOf } from '../command.ts';
import { completionScript, SHELLS } from '../completion-scripts.ts';
import { completionTable } from '../completion-table.ts';

/** `commands` is asked for late: this one is among them. */
export const completionFor = (commands: () => readonly Command[]): Command =>
  defineCommand({
    path: ['completion'],
    summary: 'Print a script that completes commands and options in your shell',
    args: [{ name: 'shell', summary: SHELLS.join(', '), choices: SHELLS }],
    examples: ['completion bash > ~/.local/share/bash-completion/completions/sluice', 'completion fish'],
    async run({ output }, input) {
      const shell = SHELLS.find((known) => known === textOf(input, 'shell'));
      if (!shell) throw invalidInput('shell', `must be one of ${SHELLS.join(', ')}`);
      const script = completionScript(shell, completionTable(commands()));
      output.data({ shell, script }, () => script.trimEnd());
    },
  });

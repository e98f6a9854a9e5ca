/** Errors name the arguments of tools; here they are called what was typed. */
import type { SluiceError } from '../kernel/errors.ts';
import type { Command } from './command.ts';

/** Only what the message begins with: further on a quoted word may be anybody's. */
export function asTyped(command: Command, { message, details }: SluiceError): string {
  const { field } = details;
  if (typeof field !== 'string' || !message.startsWith(`"${field}"`)) return message;
  const typed = nameOf(command, field);
  return typed === undefined ? message : typed + message.slice(field.length + 2);
}

/** `edits.0.op` is `--op`, `kinds.1` is `--kind`. */
function nameOf({ args = [], options = [] }: Command, field: string): string | undefined {
  const words = field.split('.').filter((word) => !/^\d+$/.test(word));
  for (const word of [words.at(-1) ?? '', words[0] ?? '']) {
    const dashed = word.replaceAll('_', '-');
    for (const name of [dashed, dashed.replace(/s$/, '')]) {
      if (options.some((option) => option.name === name)) return `--${name}`;
      if (args.some((argument) => argument.name === name)) return `<${name}>`;
    }
  }
  return undefined;
}

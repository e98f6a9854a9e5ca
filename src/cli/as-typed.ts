/** Errors name arguments and tools; here they are called what is typed. */
import type { ErrorDetails, SluiceError } from '../kernel/errors.ts';
import type { Command } from './command.ts';

/** Only what the message begins with, and the advice it ends with: in between a quoted word may be anybody's. */
export function asTyped(command: Command, { message, details }: SluiceError): string {
  // Whoever calls a tool by its name speaks its language.
  if (command.path.join(' ') === 'tool call') return message;
  const at = adviceIn(message);
  return beginningAsTyped(command, message.slice(0, at), details) + adviceAsTyped(command, message.slice(at));
}

/** Behind the last semicolon that no quotes enclose. */
function adviceIn(message: string): number {
  const at = message.lastIndexOf('; ');
  const isOurs = at >= 0 && message.slice(0, at).split('"').length % 2 === 1;
  return isOurs ? at : message.length;
}

function adviceAsTyped({ options = [] }: Command, advice: string): string {
  const typed = advice.replace(/"([a-z_]+)"/g, (quoted, name: string) => {
    const dashed = name.replaceAll('_', '-');
    return options.some((option) => option.name === dashed) ? `--${dashed}` : quoted;
  });
  return typed.replace(/\b[a-z]+_[a-z]+\b/g, (name) =>
    COMMANDS[name] ? `"sluice ${COMMANDS[name]}"` : name,
  );
}

/** The commands that do what advice of ours names tools for. */
const COMMANDS: Readonly<Record<string, string>> = {
  delete_page: 'page delete',
  list_blocks: 'tool call list_blocks',
  list_trash: 'page trash',
  read_page: 'page read --version-only',
  read_proposal: 'review show',
  set_properties: 'page properties',
};

function beginningAsTyped(command: Command, message: string, { field }: ErrorDetails): string {
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

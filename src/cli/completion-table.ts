/** What may stand where on a command line, from the declared commands: the same for every shell. */
import { type Choices, COMMON_OPTIONS, type Command, type CommandOption } from './command.ts';

export interface CompletionTable {
  /** Every command and group as its words with a space before each, such as ` page create`. */
  readonly paths: readonly string[];
  /** What may come next in each of them; '' is the beginning. */
  readonly next: ReadonlyMap<string, { readonly words: readonly string[]; readonly files: boolean }>;
  /** By path and option: what its value may be; undefined = anything. */
  readonly values: ReadonlyMap<string, Choices | undefined>;
}

export function completionTable(commands: readonly Command[]): CompletionTable {
  const next = new Map<string, { words: string[]; files: boolean }>();
  const values = new Map<string, Choices | undefined>();
  const at = (path: string): { words: string[]; files: boolean } => {
    const known = next.get(path) ?? { words: [], files: false };
    next.set(path, known);
    return known;
  };
  for (const command of commands) {
    let path = '';
    for (const word of command.path) {
      const { words } = at(path);
      if (!words.includes(word)) words.push(word);
      path = `${path} ${word}`;
    }
    const here = at(path);
    const choices = (command.args ?? []).map((argument) => argument.choices);
    here.files = choices.includes('path');
    here.words.push(...choices.flatMap((some) => (Array.isArray(some) ? (some as string[]) : [])));
    for (const option of optionsOf(command)) {
      here.words.push(`--${option.name}`);
      if (option.value !== undefined) values.set(`${path} --${option.name}`, option.choices);
    }
  }
  for (const { words } of next.values()) words.push('--help');
  return { paths: [...next.keys()].filter((path) => path !== ''), next, values };
}

const optionsOf = (command: Command): readonly CommandOption[] => [
  ...(command.options ?? []),
  ...COMMON_OPTIONS,
];

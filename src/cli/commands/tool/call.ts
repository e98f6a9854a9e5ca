/** Calls a tool as the owner. */
import { invalidInput } from '../../../kernel/errors.ts';
import { type CommandInput, defineCommand, textOf } from '../../command.ts';
import { readStandardInput } from '../../standard-input.ts';

export const call = defineCommand({
  path: ['tool', 'call'],
  summary: 'Call a tool as the owner, through the same pipeline as everybody',
  args: [
    { name: 'tool', summary: 'Its name' },
    {
      name: 'input',
      summary: 'Its arguments as a JSON object, or - to read them from standard input',
      optional: true,
    },
  ],
  options: [
    {
      name: 'arg',
      value: 'key=value',
      summary: 'One argument; a value that is JSON is read as such',
      many: true,
    },
    { name: 'workspace', value: 'name', summary: 'Work in this one' },
  ],
  examples: ['tool call search --arg query=release', `tool call create_page '{"title":"Alpha"}'`],
  async run({ call: callTool, output }, input) {
    const given = await readInput(input);
    const answer = await callTool(textOf(input, 'tool') ?? '', given, textOf(input, 'workspace'));
    output.data(answer, () => JSON.stringify(answer, null, 2));
    const note = noteIn(answer);
    if (note !== undefined) output.note(note);
  },
});

/** What there is to say of the arguments; whoever only looks should not have to look for it. */
function noteIn({ _meta: meta }: Readonly<Record<string, unknown>>): string | undefined {
  const said = (meta as Readonly<Record<string, { readonly note?: unknown }>> | undefined)?.[ARGUMENTS];
  return typeof said?.note === 'string' ? said.note : undefined;
}

const ARGUMENTS = 'dev.sluice/arguments';

async function readInput(input: CommandInput): Promise<Record<string, unknown>> {
  const text = textOf(input, 'input');
  const whole = text === undefined ? {} : readObject(text === '-' ? await readStandardInput() : text);
  const single = ([input.options.arg ?? []].flat() as string[]).map(readArgument);
  return { ...whole, ...Object.fromEntries(single) };
}

function readObject(text: string): Record<string, unknown> {
  const value = parse(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw invalidInput('input', 'must be a JSON object');
}

function readArgument(text: string): [string, unknown] {
  const at = text.indexOf('=');
  if (at < 1) throw invalidInput('--arg', `must be key=value, not "${text}"`);
  const value = text.slice(at + 1);
  return [text.slice(0, at), parse(value) ?? value];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

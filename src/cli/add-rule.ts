/** Adding access rules from the command line. */
import { invalidInput } from '../kernel/errors.ts';
import {
  type CommandArgument,
  type CommandInput,
  type CommandOption,
  flagOf,
  given,
  textOf,
} from './command.ts';
import type { CliContext } from './context.ts';

export const RULE_ARGS: readonly CommandArgument[] = [
  { name: 'who', summary: '"everybody", or role:, client:, agent:, project: or task: and a name' },
  { name: 'pattern', summary: 'A tool, or with * within and ** across dots' },
];

export const RULE_OPTIONS: readonly CommandOption[] = [
  { name: 'reason', value: 'text', summary: 'Why; shown when the rule decides' },
  { name: 'family', summary: 'The pattern is about families of tools' },
];

export async function addRule(
  context: CliContext,
  input: CommandInput,
  effect: 'allow' | 'deny',
): Promise<void> {
  const answer = await context.call(
    'policy.rule.add',
    given({
      ...readSubject(textOf(input, 'who') ?? ''),
      pattern: textOf(input, 'pattern'),
      resource_type: flagOf(input, 'family') ? 'family' : 'tool',
      effect,
      reason: textOf(input, 'reason') ?? 'added on the command line',
    }),
  );
  context.output.data(answer, () => `Rule ${(answer.rule as { id: string }).id} is in force`);
  for (const warning of answer.warnings as string[]) context.output.note(`Warning: ${warning}`);
}

function readSubject(who: string): { subject_type: string; subject: string | null } {
  if (who === 'everybody') return { subject_type: 'system', subject: null };
  const at = who.indexOf(':');
  if (at < 1) throw invalidInput('who', 'must be "everybody" or for example role:client or client:cursor');
  return { subject_type: who.slice(0, at), subject: who.slice(at + 1) };
}

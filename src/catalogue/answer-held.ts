/** Thrown by a handler whose answer nobody may see before a person has said yes to it. The answer is kept meanwhile. */
import type { SluiceError } from '../kernel/errors.ts';
import { Judged, Reply } from './content.ts';

/** What a handler would have answered: blocks of a tool, or what else a provider was asked for. */
export type HeldOutput = Reply | Judged<unknown>;

export class AnswerHeld extends Error {
  readonly output: HeldOutput;
  /** What the firewall said, and by which rules. */
  readonly verdict: string;
  readonly rules: readonly string[];
  /** What the caller hears in place of the answer. */
  readonly refusal: SluiceError;

  constructor(output: HeldOutput, verdict: string, rules: readonly string[], refusal: SluiceError) {
    super('The answer is held');
    this.name = 'AnswerHeld';
    this.output = output;
    this.verdict = verdict;
    this.rules = rules;
    this.refusal = refusal;
  }
}

export const packOutput = (output: HeldOutput): string =>
  JSON.stringify({ reply: output instanceof Reply, output });

/** With all fields it had, whichever those are. */
export function unpackOutput(packed: string): HeldOutput {
  const { reply, output } = JSON.parse(packed) as { readonly reply: boolean; readonly output: HeldOutput };
  return Object.assign(Object.create(reply ? Reply.prototype : Judged.prototype), output) as HeldOutput;
}

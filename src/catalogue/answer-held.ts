/** Thrown by a handler whose answer nobody may see before a person has said yes to it. The answer is kept meanwhile. */
import type { SluiceError } from '../kernel/errors.ts';
import type { Reply } from './content.ts';

export class AnswerHeld extends Error {
  readonly reply: Reply;
  /** What the firewall said, and by which rules. */
  readonly verdict: string;
  readonly rules: readonly string[];
  /** What the caller hears in place of the answer. */
  readonly refusal: SluiceError;

  constructor(reply: Reply, verdict: string, rules: readonly string[], refusal: SluiceError) {
    super('The answer is held');
    this.name = 'AnswerHeld';
    this.reply = reply;
    this.verdict = verdict;
    this.rules = rules;
    this.refusal = refusal;
  }
}

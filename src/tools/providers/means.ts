/** What reading on in kept answers works with. */
import type { ReadAnswerMeans } from '../../domain/providers/answers/read-answer.ts';
import type { Caller } from '../../kernel/caller.ts';

export interface ReadResultMeans extends ReadAnswerMeans {
  /** Whether the caller could call this tool right now. */
  mayCall(caller: Caller, tool: string): boolean;
}

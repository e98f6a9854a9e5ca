/** Suggestions for an argument while somebody types it. Asked for under the same gates as the thing itself. */
import type { ReadContext } from './call-context.ts';

/** What begins as `value` does, best first; `others` are the arguments that are filled in already. */
export type Completer<Use> = (
  use: Use,
  value: string,
  others: Readonly<Record<string, string>>,
  call: ReadContext,
) => Promise<readonly string[]>;

/** By argument or variable. */
export type Completers<Use> = Readonly<Record<string, Completer<Use>>>;

export type BoundCompleter = (
  value: string,
  others: Readonly<Record<string, string>>,
  call: ReadContext,
) => Promise<readonly string[]>;

export function bindCompleters<Use>(
  completers: Completers<Use>,
  use: Use,
): Readonly<Record<string, BoundCompleter>> {
  return Object.fromEntries(
    Object.entries(completers).map(([name, complete]) => [name, complete.bind(undefined, use)]),
  );
}

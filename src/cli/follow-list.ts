/** A list that comes in parts, as far as somebody wants to see it. */
import { invalidInput } from '../kernel/errors.ts';
import { type CommandInput, numberOf } from './command.ts';
import type { CliContext } from './context.ts';

/** More than anybody looks through at a terminal. */
const MOST = 10_000;

/** As much as the tools give at once. */
const AT_ONCE = 100;

export function limitOf(input: CommandInput): number {
  const limit = numberOf(input, 'limit') ?? AT_ONCE;
  if (limit >= 1 && limit <= MOST) return limit;
  throw invalidInput('--limit', `must be from 1 to ${MOST}`);
}

/** `name`: what the answer calls the list. Its cursor is told where the list goes on. */
export async function followList<Row>(
  { withHome }: CliContext,
  tool: string,
  wish: Readonly<Record<string, unknown>>,
  { name, limit, workspace }: { name: string; limit: number; workspace: string | undefined },
): Promise<{ readonly rows: readonly Row[]; readonly answer: Readonly<Record<string, unknown>> }> {
  return withHome(async (home) => {
    const rows: Row[] = [];
    let cursor: unknown;
    do {
      const part = {
        ...wish,
        limit: Math.min(limit - rows.length, AT_ONCE),
        ...(cursor !== undefined && { cursor }),
      };
      const next = await home.call(tool, part, workspace);
      rows.push(...(next[name] as Row[]));
      cursor = next.next_cursor;
    } while (cursor !== undefined && rows.length < limit);
    return { rows, answer: { [name]: rows, ...(cursor !== undefined && { next_cursor: cursor }) } };
  });
}

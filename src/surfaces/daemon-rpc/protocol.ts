/** What is said over the admin socket: a greeting that chooses the mode, then calls or MCP, or nothing more. */
import { z } from 'zod';

export const greeting = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('calls') }),
  /** Asks a process that only serves programs over stdio to give the home up to a server. */
  z.object({ mode: z.literal('handover') }),
  /** Says a line for each change of a resource that the owner follows, and nothing about it. */
  z.object({ mode: z.literal('watch'), uri: z.string(), workspace: z.string().optional() }),
  z.object({
    mode: z.literal('mcp'),
    client: z.string(),
    names: z.enum(['dotted', 'underscore']).optional(),
    workspace: z.string().optional(),
  }),
]);
export type Greeting = z.output<typeof greeting>;

export const callLine = z.object({
  id: z.int(),
  tool: z.string(),
  input: z.record(z.string(), z.unknown()),
  workspace: z.string().optional(),
  run: z.string().optional(),
});
export type CallLine = z.output<typeof callLine>;

/** The id of an answer to what was no call. */
export const NO_CALL = 0;

export type AnswerLine =
  | { readonly id: number; readonly ok: true; readonly result: Record<string, unknown> }
  | { readonly id: number; readonly ok: false; readonly error: Readonly<Record<string, unknown>> };

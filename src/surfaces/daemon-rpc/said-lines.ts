/** What the server takes from the socket; the command line, which only writes it, does not load this. */
import { z } from 'zod';
import type { CallLine, Greeting } from './protocol.ts';

export const greeting: z.ZodType<Greeting> = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('calls') }),
  z.object({ mode: z.literal('handover') }),
  z.object({ mode: z.literal('watch'), uri: z.string(), workspace: z.string().optional() }),
  z.object({
    mode: z.literal('mcp'),
    client: z.string(),
    names: z.enum(['dotted', 'underscore']).optional(),
    workspace: z.string().optional(),
  }),
]);

export const callLine: z.ZodType<CallLine> = z.object({
  id: z.int(),
  tool: z.string(),
  input: z.record(z.string(), z.unknown()),
  workspace: z.string().optional(),
  run: z.string().optional(),
});

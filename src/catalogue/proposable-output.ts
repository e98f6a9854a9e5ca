/** The answer of a writer whose change may have to wait: what it declares, or the proposal that was kept instead. */
import { z } from 'zod';
import { type JsonSchema, type Schema, zodSchema } from './schema.ts';

const proposalAnswer = z.object({
  proposal: z
    .object({
      id: z.string(),
      state: z.literal('pending'),
      op: z.string(),
      page: z.string().nullable(),
      title: z.string().nullable(),
      summary: z.string(),
      overlaps: z.boolean().describe('True when others changed the same place since base_version'),
      base_version: z.string().nullable(),
      expires_at: z.string().nullable(),
      change: z
        .object({
          characters_before: z.int(),
          characters_after: z.int(),
          lines_added: z.int(),
          lines_removed: z.int(),
          diff: z.string(),
        })
        .optional(),
    })
    .describe('Instead of everything else: nothing was changed, the call waits for an author to accept it'),
});

const proposalSchema = zodSchema(proposalAnswer, 'output');

/** Either of the two; a client that validates answers finds both in the one schema. */
export function proposableOutput(declared: Schema): Schema {
  let json: JsonSchema | undefined;
  return {
    get json() {
      json ??= eitherOf(declared.json, proposalSchema.json);
      return json;
    },
    check: (value) => (isProposed(value) ? proposalSchema : declared).check(value),
  };
}

const isProposed = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, 'proposal');

/** Unions at the top are what clients stumble over, so that what either of them needs is left to the words. */
function eitherOf(declared: JsonSchema, proposed: JsonSchema): JsonSchema {
  const { required: _, properties, ...rest } = declared;
  return { ...rest, properties: { ...(properties as object), ...(proposed.properties as object) } };
}

/** Takes the answer of an authorization server and keeps what it grants. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { CredentialFamilyMeans } from './means.ts';
import { OWNER_OF_CREDENTIALS } from './slot-shape.ts';

export const finishConnect = defineTool({
  ...OWNER_OF_CREDENTIALS,
  name: 'credential.finish_connect',
  title: 'Finish connecting a provider',
  summary: 'Takes the answer of the authorization server, once, and keeps the tokens it gives for it.',
  effect: 'external_side_effect',
  example: { flow: '0198…', sealed_answer: 'sealed-v1.…' },
  input: z.object({
    flow: z.string().max(100).describe('As credential.begin_connect answered it'),
    sealed_answer: z
      .string()
      .max(40_000)
      .describe("What came to the redirect address, sealed with the home's key"),
  }),
  output: z.object({
    ref: z.string(),
    user: z.string().nullable(),
    issuer: z.string(),
    scopes: z.array(z.string()),
    renewable: z.boolean(),
  }),
  async handler(use: CredentialFamilyMeans, { flow, sealed_answer }) {
    const { key, facts } = await use.connections.finish(flow, sealed_answer);
    return { ...key, issuer: facts.issuer, scopes: [...facts.scopes], renewable: facts.renewable };
  },
});

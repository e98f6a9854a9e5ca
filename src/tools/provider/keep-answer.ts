/** Notes for whom an answer that was too long is kept. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { keepAnswer } from '../../domain/providers/answers/keep-answer.ts';
import { INTERNAL } from './internal-shape.ts';
import type { ProviderFamilyMeans } from './means.ts';

export const keepAnswerTool = defineTool({
  ...INTERNAL,
  name: 'provider.keep_answer',
  title: 'Keep a long answer',
  summary: 'Keeps an answer of a provider that was too long to be given whole, for the caller it was for.',
  example: { handle: 'x', principal: 'client:ann', provider: 'files', tool: 'read_file', parts: [] },
  input: z.object({
    handle: z.string().max(64).describe('The call that was answered'),
    principal: z.string().max(200).describe('For whom it is kept'),
    provider: z.string().max(64).describe('Whose answer it is'),
    tool: z.string().max(128).describe('What was called'),
    parts: z
      .array(
        z.object({
          name: z.string().max(64).describe('By which it is read'),
          mimeType: z.string().max(200).describe('What it is'),
          digest: z.string().max(100).describe('Of its blob'),
          bytes: z.int().describe('How long it is'),
        }),
      )
      .max(1_000)
      .describe('What it is made of'),
  }),
  output: z.object({ handle: z.string(), bytes: z.int() }),
  async handler(use: ProviderFamilyMeans, { handle, ...answer }, call) {
    const bytes = answer.parts.reduce((sum, part) => sum + part.bytes, 0);
    await keepAnswer(use, call.ticket, { id: handle, ...answer, bytes });
    return { handle, bytes };
  },
});

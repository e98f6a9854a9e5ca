/** Takes an attachment away. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { detachFile as detach } from '../../domain/workspace/attach-file.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { digestArgument } from './import-shape.ts';
import { idempotencyArgument } from './page-shape.ts';

export const detachFile = defineTool({
  name: 'detach_file',
  title: 'Detach a file',
  summary:
    'Takes a file of the workspace away; links to it lead nowhere then. By its digest it can be attached again for a while.',
  scopes: ['workspace.propose'],
  effect: 'local_side_effect',
  sandboxEligible: true,
  destructive: true,
  write: { kind: 'attachment', derivation: 'none' },
  example: { path: 'img/Figure 1.png' },
  input: z.object({
    path: z.string().min(1).max(4_000).describe('As list_attachments gives it in full_path'),
    digest: digestArgument
      .optional()
      .describe('Which file, where people who see different pages put several at one path'),
    idempotency_key: idempotencyArgument,
  }),
  output: z.object({ path: z.string(), digest: z.string(), size: z.int() }),
  async handler(use: WorkspaceMeans, input, call) {
    const { path, digest, size } = await detach(use, call.ticket, input);
    return { path, digest, size };
  },
});

/** Takes what was deleted from a synced folder out. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { REMOVAL_OUTCOMES, removeFiles as takeOut } from '../../domain/workspace/sync/remove-files.ts';
import { digestArgument, IMPORT_LIMITS } from './import-shape.ts';

export const removeFiles = defineTool({
  name: 'remove_files',
  title: 'Take deleted files out',
  summary:
    'Puts pages whose files were deleted into the trash and detaches deleted attachments; what changed since stays.',
  scopes: ['workspace.write'],
  effect: 'local_side_effect',
  destructive: true,
  idempotent: true,
  limits: IMPORT_LIMITS,
  write: { kind: 'page', contentArgument: 'files', derivation: 'none' },
  example: { files: [{ path: 'img/Figure 1.png', digest: `sha256:${'0'.repeat(64)}` }] },
  input: z.object({
    files: z
      .array(
        z.object({
          path: z.string().max(4_000),
          page: z.string().max(100).optional().describe('The id of its page; left out = an attachment'),
          version: z.string().max(1_000).optional().describe('The version its file was last equal to'),
          digest: digestArgument.optional().describe('Of the attachment'),
        }),
      )
      .min(1)
      .max(500)
      .describe('Files that the folder has no more'),
  }),
  output: z.object({
    files: z.array(z.object({ path: z.string(), outcome: z.enum(REMOVAL_OUTCOMES) })),
  }),
  async handler(use: WorkspaceMeans, input, call) {
    return { files: [...(await takeOut(use, call.ticket, input.files))] };
  },
});

/** Makes a workspace read-only, or writable again. */
import { z } from 'zod';
import { OWNER_ONLY } from '../../../catalogue/registration.ts';
import { defineTool } from '../../../catalogue/tool-definition.ts';
import { type ReadOnlyMeans, switchReadOnly } from '../../../domain/workspace/permissions/read-only.ts';
import { SluiceError } from '../../../kernel/errors.ts';

export const setReadOnly = defineTool({
  ...OWNER_ONLY,
  name: 'workspace.set_read_only',
  title: 'Make a workspace read-only',
  summary: 'While a workspace is read-only nobody changes anything in it, the owner included.',
  scopes: ['settings.manage'],
  effect: 'local_side_effect',
  idempotent: true,
  write: { kind: 'workspace', contentArgument: 'read_only', derivation: 'none' },
  example: { read_only: true },
  input: z.object({
    workspace: z.string().max(200).optional().describe('Its name or id; left out = the current one'),
    read_only: z.boolean().describe('False makes it writable again'),
  }),
  output: z.object({ workspace: z.string(), read_only: z.boolean(), changed: z.boolean() }),
  async handler(use: ReadOnlyMeans, input, call) {
    const reference = input.workspace ?? call.caller.context.workspace;
    if (reference === undefined)
      throw new SluiceError('no_workspace', 'No workspace is open for this caller');
    const { workspace, changed } = await switchReadOnly(use, call.ticket, reference, input.read_only);
    return { workspace: workspace.name, read_only: input.read_only, changed };
  },
});

/** Makes a workspace. */
import { z } from 'zod';
import { OWNER_ONLY } from '../../../catalogue/registration.ts';
import { defineTool } from '../../../catalogue/tool-definition.ts';
import { createWorkspace, type WorkspacesMeans } from '../../../domain/workspace/workspaces.ts';
import { factsOf, workspaceFacts } from './workspace-shape.ts';

export const create = defineTool({
  ...OWNER_ONLY,
  name: 'workspace.create',
  title: 'Create a workspace',
  summary:
    'Makes an empty workspace. It is closed until it is opened, at once with open or later by workspace.open.',
  scopes: ['settings.manage'],
  effect: 'local_side_effect',
  write: { kind: 'workspace', contentArgument: 'name', derivation: 'none' },
  example: { name: 'research' },
  input: z.object({
    name: z.string().max(200),
    open: z.boolean().default(false).describe('Open it at once, as the current one'),
  }),
  output: z.object({ workspace: workspaceFacts }),
  async handler(use: WorkspacesMeans, input, call) {
    const made = await createWorkspace(use, call.ticket, input);
    return { workspace: factsOf(made, use.directory.current()?.id) };
  },
});

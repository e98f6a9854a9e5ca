/** Closes a workspace. */
import { z } from 'zod';
import { OWNER_ONLY } from '../../../catalogue/registration.ts';
import { defineTool } from '../../../catalogue/tool-definition.ts';
import { closeWorkspace, type WorkspacesMeans } from '../../../domain/workspace/workspaces.ts';
import { factsOf, workspaceFacts } from './workspace-shape.ts';

export const close = defineTool({
  ...OWNER_ONLY,
  name: 'workspace.close',
  title: 'Close a workspace',
  summary: 'Closes a workspace. Everything in it is kept, but no tool reaches it until it is opened.',
  scopes: ['settings.manage'],
  effect: 'local_side_effect',
  idempotent: true,
  write: { kind: 'workspace', contentArgument: 'workspace', derivation: 'none' },
  example: { workspace: 'research' },
  input: z.object({ workspace: z.string().max(200).describe('Its name or id') }),
  output: z.object({ workspace: workspaceFacts }),
  async handler(use: WorkspacesMeans, input, call) {
    const changed = await closeWorkspace(use, call.ticket, input.workspace);
    return { workspace: factsOf(changed, undefined) };
  },
});

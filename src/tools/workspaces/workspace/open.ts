/** Opens a workspace. */
import { z } from 'zod';
import { OWNER_ONLY } from '../../../catalogue/registration.ts';
import { defineTool } from '../../../catalogue/tool-definition.ts';
import { openWorkspace, type WorkspacesMeans } from '../../../domain/workspace/workspaces.ts';
import { factsOf, workspaceFacts } from './workspace-shape.ts';

export const open = defineTool({
  ...OWNER_ONLY,
  name: 'workspace.open',
  title: 'Open a workspace',
  summary: 'Opens a workspace and makes it the one where callers work that are bound to none.',
  scopes: ['settings.manage'],
  effect: 'local_side_effect',
  idempotent: true,
  write: { kind: 'workspace', contentArgument: 'workspace', derivation: 'none' },
  example: { workspace: 'research' },
  input: z.object({ workspace: z.string().max(200).describe('Its name or id') }),
  output: z.object({ workspace: workspaceFacts }),
  async handler(use: WorkspacesMeans, input, call) {
    const changed = await openWorkspace(use, call.ticket, input.workspace);
    return { workspace: factsOf(changed, changed.id) };
  },
});

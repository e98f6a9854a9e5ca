/** Lists workspaces. */
import { z } from 'zod';
import { OWNER_ONLY } from '../../../catalogue/registration.ts';
import { defineTool } from '../../../catalogue/tool-definition.ts';
import type { WorkspacesMeans } from '../../../domain/workspace/workspaces.ts';
import { factsOf, workspaceFacts } from './workspace-shape.ts';

export const list = defineTool({
  ...OWNER_ONLY,
  name: 'workspace.list',
  title: 'List workspaces',
  summary: 'Lists workspaces, which are open, and which is the current one.',
  scopes: ['settings.read'],
  effect: 'read_only',
  example: {},
  input: z.object({}),
  output: z.object({ workspaces: z.array(workspaceFacts) }),
  async handler(use: WorkspacesMeans, _input, call) {
    const current = use.directory.current()?.id;
    const all = await use.workspaces.all(call.read);
    return { workspaces: all.map((workspace) => factsOf(workspace, current)) };
  },
});

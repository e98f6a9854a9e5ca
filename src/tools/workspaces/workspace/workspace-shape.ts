/** How a workspace looks in answers. */
import { z } from 'zod';
import type { Workspace } from '../../../domain/workspace/ports/workspace-store.ts';

export const workspaceFacts = z.object({
  id: z.string(),
  name: z.string(),
  open: z.boolean(),
  current: z.boolean().describe('Where callers work that are bound to none'),
  read_only: z.boolean().describe('Nobody changes anything in it; workspace.set_read_only ends that'),
});

export const factsOf = (
  workspace: Pick<Workspace, 'id' | 'name' | 'openedAt' | 'readOnly'>,
  current: string | undefined,
) => ({
  id: workspace.id,
  name: workspace.name,
  open: workspace.openedAt !== null,
  current: workspace.id === current,
  read_only: workspace.readOnly,
});

/** The workspaces family: several workspaces in one home. */
import { defineFamily } from '../../catalogue/family.ts';
import type { WorkspacesMeans } from '../../domain/workspace/workspaces.ts';
import { close } from './close.ts';
import { create } from './create.ts';
import { list } from './list.ts';
import { open } from './open.ts';

export const workspacesFamily = defineFamily<WorkspacesMeans>('workspaces', {
  tools: [create, list, open, close],
});

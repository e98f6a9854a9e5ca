/** The workspaces family: several workspaces in one home. */
import { defineFamily } from '../../catalogue/family.ts';
import type { WorkspacesMeans } from '../../domain/workspace/workspaces.ts';
import { close } from './workspace/close.ts';
import { create } from './workspace/create.ts';
import { list } from './workspace/list.ts';
import { open } from './workspace/open.ts';

export const workspacesFamily = defineFamily<WorkspacesMeans>('workspaces', {
  tools: [create, list, open, close],
});

/** The workspaces family: several workspaces in one home. */
import { defineFamily } from '../../catalogue/family.ts';
import type { ReadOnlyMeans } from '../../domain/workspace/permissions/read-only.ts';
import { close } from './workspace/close.ts';
import { create } from './workspace/create.ts';
import { list } from './workspace/list.ts';
import { open } from './workspace/open.ts';
import { setReadOnly } from './workspace/set-read-only.ts';

export const workspacesFamily = defineFamily<ReadOnlyMeans>('workspaces', {
  tools: [create, list, open, close, setReadOnly],
});

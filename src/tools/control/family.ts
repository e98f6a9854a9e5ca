/** The control family: small, read-only questions about oneself and one's place. */
import { defineFamily } from '../../catalogue/family.ts';
import { getMyScopes } from './get-my-scopes.ts';
import { getWorkspace } from './get-workspace.ts';
import { listTools } from './list-tools.ts';
import type { ControlMeans } from './means.ts';

export const controlFamily = defineFamily<ControlMeans>('control', {
  tools: [listTools, getMyScopes, getWorkspace],
});

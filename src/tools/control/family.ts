/** The control family: small, read-only questions about oneself and one's place. */
import { defineFamily } from '../../catalogue/family.ts';
import { getMyScopes } from './get-my-scopes.ts';
import { getWorkspace } from './get-workspace.ts';
import { listTools } from './list-tools.ts';
import type { ControlMeans } from './means.ts';
import { toolsCall } from './tools-call.ts';
import { toolsDescribe } from './tools-describe.ts';
import { toolsSearch } from './tools-search.ts';

export const controlFamily = defineFamily<ControlMeans>('control', {
  tools: [listTools, getMyScopes, getWorkspace, toolsSearch, toolsDescribe, toolsCall],
});

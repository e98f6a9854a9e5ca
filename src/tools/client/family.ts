/** The client family: tokens for others. */
import { defineFamily } from '../../catalogue/family.ts';
import { add } from './add.ts';
import { limit } from './limit.ts';
import { list } from './list.ts';
import type { ClientMeans } from './means.ts';
import { revoke } from './revoke.ts';
import { list as listToolsets } from './toolset/list.ts';
import { remove as removeToolset } from './toolset/remove.ts';
import { set as setToolset } from './toolset/set.ts';

export const clientFamily = defineFamily<ClientMeans>('client', {
  tools: [add, list, limit, revoke, setToolset, listToolsets, removeToolset],
});

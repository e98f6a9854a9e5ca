/** The client family: tokens for others. */
import { defineFamily } from '../../catalogue/family.ts';
import { add } from './add.ts';
import { list } from './list.ts';
import type { ClientMeans } from './means.ts';
import { revoke } from './revoke.ts';

export const clientFamily = defineFamily<ClientMeans>('client', { tools: [add, list, revoke] });

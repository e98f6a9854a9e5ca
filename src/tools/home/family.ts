/** The home family: what concerns the folder in which everything lies. */
import { defineFamily } from '../../catalogue/family.ts';
import { backup, type HomeMeans } from './backup.ts';

export const homeFamily = defineFamily<HomeMeans>('home', { tools: [backup] });

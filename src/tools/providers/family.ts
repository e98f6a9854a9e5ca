/** What belongs to the tools of providers as a whole, beside them in the same family. */
import { defineFamily } from '../../catalogue/family.ts';
import type { ReadResultMeans } from './means.ts';
import { readResult } from './read-result.ts';

export const providersFamily = defineFamily<ReadResultMeans>('providers', { tools: [readResult] });

/** The approval family: calls and answers that wait for a person. */
import { defineFamily } from '../../catalogue/family.ts';
import { decide } from './decide.ts';
import { list } from './list.ts';
import type { ApprovalFamilyMeans } from './means.ts';
import { read } from './read.ts';
import { setPolicy } from './set-policy.ts';

export const approvalFamily = defineFamily<ApprovalFamilyMeans>('approval', {
  tools: [list, read, decide, setPolicy],
});

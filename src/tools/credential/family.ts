/** The credential family: what is kept to be sent to providers. */
import { defineFamily } from '../../catalogue/family.ts';
import { beginConnect } from './begin-connect.ts';
import { finishConnect } from './finish-connect.ts';
import { forgetKeys } from './forget-keys.ts';
import { keepGrantTool } from './keep-grant.ts';
import { list } from './list.ts';
import type { CredentialFamilyMeans } from './means.ts';
import { remove } from './remove.ts';
import { rotateKeyTool } from './rotate-key.ts';
import { set } from './set.ts';

export const credentialFamily = defineFamily<CredentialFamilyMeans>('credential', {
  tools: [set, list, remove, rotateKeyTool, forgetKeys, beginConnect, finishConnect, keepGrantTool],
});

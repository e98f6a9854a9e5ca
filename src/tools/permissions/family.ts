/** The permissions family: who may see and do what, where in the tree. */
import { defineFamily } from '../../catalogue/family.ts';
import { grantPermission } from './grant-permission.ts';
import { listPermissions } from './list-permissions.ts';
import type { PermissionFamilyMeans } from './means.ts';
import { revokePermission } from './revoke-permission.ts';

export const permissionsFamily = defineFamily<PermissionFamilyMeans>('permissions', {
  tools: [grantPermission, revokePermission, listPermissions],
});

/** Takes a grant back. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { revokePermission as revoke } from '../../domain/workspace/permissions/manage-grants.ts';
import {
  factsOf,
  grantFacts,
  OWNER_IN_WORKSPACE,
  pageArgument,
  subject,
  subjectType,
} from './grant-shape.ts';
import type { PermissionFamilyMeans } from './means.ts';

export const revokePermission = defineTool({
  ...OWNER_IN_WORKSPACE,
  name: 'revoke_permission',
  title: 'Revoke a permission',
  summary:
    'Takes back what was granted on a page; what is granted further up, or else the role, counts again.',
  scopes: ['permissions.grant'],
  effect: 'local_side_effect',
  write: { kind: 'permission', derivation: 'none' },
  example: { page: 'private', subject_type: 'role', subject: 'client' },
  input: z.object({ page: pageArgument, subject_type: subjectType, subject }),
  output: z.object(grantFacts),
  async handler(use: PermissionFamilyMeans, input, call) {
    const about = { kind: input.subject_type, name: input.subject };
    return factsOf(await revoke(use, call.ticket, { page: input.page, subject: about }));
  },
});

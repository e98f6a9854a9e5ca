/** Lists what is granted. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { listPermissions as listAll } from '../../domain/workspace/permissions/manage-grants.ts';
import { SluiceError } from '../../kernel/errors.ts';
import { factsOf, grantFacts, OWNER_IN_WORKSPACE, pageArgument } from './grant-shape.ts';
import type { PermissionFamilyMeans } from './means.ts';

export const listPermissions = defineTool({
  ...OWNER_IN_WORKSPACE,
  name: 'list_permissions',
  title: 'List permissions',
  summary: 'Lists what is granted in the workspace, or what is granted on one page and those above it.',
  scopes: ['permissions.grant'],
  effect: 'read_only',
  example: {},
  input: z.object({ page: pageArgument.optional() }),
  output: z.object({
    grants: z.array(z.object({ ...grantFacts, path: z.string(), title: z.string() })),
  }),
  async handler(use: PermissionFamilyMeans, input, call) {
    const { workspace } = call.caller.context;
    if (!workspace) throw new SluiceError('no_workspace', 'No workspace is open for this caller');
    const grants = await listAll(use, call.read, workspace, input.page ?? undefined);
    return { grants: grants.map((grant) => ({ ...factsOf(grant), path: grant.path, title: grant.title })) };
  },
});

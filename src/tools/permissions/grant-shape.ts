/** How grants look in the answers and arguments of this family. */
import { z } from 'zod';
import type { PermissionGrant } from '../../domain/workspace/ports/permission-store.ts';
import { SUBJECT_KINDS } from '../../domain/workspace/ports/permission-store.ts';
import { LEVELS } from '../../kernel/sight.ts';

export const OWNER_IN_WORKSPACE = { roles: ['owner'], reach: 'orchestrator' } as const;

export const pageArgument = z
  .string()
  .min(1)
  .max(2_000)
  .nullable()
  .describe('A page, and with it everything below: its id, path or slug; null for the whole workspace');

export const subjectType = z.enum(SUBJECT_KINDS).describe('Whom it is about');

export const subject = z.string().min(1).max(200).describe('The name of the role, client or agent');

export const level = z
  .enum(LEVELS)
  .describe(
    'hidden: not there at all. drop: may add below, may not look. read. propose: changes wait for an author. write: as far as its role goes',
  );

export const grantFacts = {
  page: z.string().nullable().describe('The id; null for the whole workspace'),
  subject_type: subjectType,
  subject,
  level,
  granted_at: z.string(),
  granted_by: z.string(),
};

export const factsOf = (grant: PermissionGrant) => ({
  page: grant.page,
  subject_type: grant.subject.kind,
  subject: grant.subject.name,
  level: grant.level,
  granted_at: new Date(grant.at).toISOString(),
  granted_by: grant.by,
});

/** Grants a level on a part of the tree. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { grantPermission as grant } from '../../domain/workspace/permissions/manage-grants.ts';
import {
  factsOf,
  grantFacts,
  level,
  OWNER_IN_WORKSPACE,
  pageArgument,
  subject,
  subjectType,
} from './grant-shape.ts';
import type { PermissionFamilyMeans } from './means.ts';

export const grantPermission = defineTool({
  ...OWNER_IN_WORKSPACE,
  name: 'grant_permission',
  title: 'Grant a permission',
  summary:
    'Says what a role, client or agent may do with a page and everything below it. The nearest grant counts, and on one page that for the client or agent before that for its role. Authors are not bound.',
  scopes: ['permissions.grant'],
  effect: 'local_side_effect',
  idempotent: true,
  write: { kind: 'permission', contentArgument: 'level', derivation: 'none' },
  example: { page: 'private', subject_type: 'role', subject: 'client', level: 'hidden' },
  input: z.object({ page: pageArgument, subject_type: subjectType, subject, level }),
  output: z.object({
    ...grantFacts,
    before: level.nullable().describe('What was granted there before; null for nothing'),
    warnings: z.array(z.string()),
  }),
  async handler(use: PermissionFamilyMeans, input, call) {
    const about = { kind: input.subject_type, name: input.subject };
    const done = await grant(use, call.ticket, { page: input.page, subject: about, level: input.level });
    const warnings = [...likelyTypos(use, about), ...whoIsNotBound(done.unbound)];
    return { ...factsOf(done.grant), before: done.before, warnings };
  },
});

function likelyTypos(use: PermissionFamilyMeans, { kind, name }: { kind: string; name: string }): string[] {
  const known = kind === 'role' || kind === 'client' ? use.knownNames()[kind] : [name];
  return known.includes(name) ? [] : [`There is no ${kind} "${name}" now`];
}

const SHOWN_AUTHORS = 20;

function whoIsNotBound(authors: readonly string[]): string[] {
  if (authors.length === 0) return [];
  const more = authors.length > SHOWN_AUTHORS ? ` and ${authors.length - SHOWN_AUTHORS} more` : '';
  const names = authors.slice(0, SHOWN_AUTHORS).join(', ');
  return [`It does not bind ${names}${more}: authors see and change everything that their role lets them`];
}

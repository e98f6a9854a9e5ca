/** Adds an access rule. */
import { z } from 'zod';
import { OWNER_ONLY } from '../../../catalogue/registration.ts';
import { defineTool } from '../../../catalogue/tool-definition.ts';
import { noSuchName, noSuchTool } from '../../../domain/governance/likely-typos.ts';
import { addRule } from '../../../domain/governance/manage-policy.ts';
import type { PolicyFamilyMeans } from '../means.ts';
import { effect, factsOf, resourceType, ruleFacts, subjectType } from './rule-shape.ts';

export const add = defineTool({
  ...OWNER_ONLY,
  name: 'policy.rule.add',
  title: 'Add an access rule',
  summary: 'Allows or denies tools for a role, client, agent, project or task. Any deny that matches wins.',
  scopes: ['settings.manage'],
  effect: 'local_side_effect',
  write: { kind: 'policy', contentArgument: 'pattern', derivation: 'none' },
  example: {
    subject_type: 'client',
    subject: 'claude-code',
    pattern: 'delete_page',
    effect: 'deny',
    reason: 'too risky',
  },
  input: z.object({
    subject_type: subjectType,
    subject: z
      .string()
      .max(200)
      .nullable()
      .default(null)
      .describe('Whom it is about; null for "system", everybody'),
    resource_type: resourceType.default('tool'),
    pattern: z.string().max(128).describe('A name, or with * within and ** across dots'),
    effect,
    priority: z
      .int()
      .min(-1_000)
      .max(1_000)
      .default(0)
      .describe('Orders the reasons shown; deny wins whatever it is'),
    reason: z.string().max(500),
  }),
  output: z.object({ rule: ruleFacts, warnings: z.array(z.string()) }),
  async handler(use: PolicyFamilyMeans, input, call) {
    const rule = await addRule(use, call.ticket, {
      subjectType: input.subject_type,
      subjectId: input.subject,
      resourceType: input.resource_type,
      pattern: input.pattern,
      effect: input.effect,
      priority: input.priority,
      reason: input.reason,
    });
    const warnings = [
      ...noSuchTool(input.pattern, use.known(), input.resource_type),
      ...unknownSubject(use, input.subject_type, input.subject),
    ];
    return { rule: factsOf(rule), warnings };
  },
});

/** Agents, projects and tasks come and go; roles and clients are registered. */
function unknownSubject({ state }: PolicyFamilyMeans, type: string, subject: string | null): string[] {
  const { credentials, policy } = state.current();
  if (subject === null) return [];
  if (type === 'role') return noSuchName('role', subject, policy.roles.keys());
  if (type !== 'client') return [];
  return noSuchName(
    'client',
    subject,
    credentials.filter((one) => one.kind === 'client').map((one) => one.name),
  );
}

/** How an access rule looks in answers. */
import { z } from 'zod';
import { type AccessRule, SUBJECT_TYPES } from '../../../domain/governance/access-rules.ts';

export const subjectType = z.enum(SUBJECT_TYPES);
export const resourceType = z.enum(['tool', 'family']);
export const effect = z.enum(['allow', 'deny']);

export const ruleFacts = z.object({
  id: z.string(),
  subject_type: subjectType,
  subject: z.string().nullable(),
  resource_type: resourceType,
  pattern: z.string(),
  effect,
  priority: z.int(),
  reason: z.string(),
});

export const factsOf = (rule: AccessRule): z.input<typeof ruleFacts> => ({
  id: rule.id,
  subject_type: rule.subjectType,
  subject: rule.subjectId,
  resource_type: rule.resourceType,
  pattern: rule.pattern,
  effect: rule.effect,
  priority: rule.priority,
  reason: rule.reason,
});

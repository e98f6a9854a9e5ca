/** Where a call came from and what became of it, step by step. */
import { z } from 'zod';
import { OWNER_ONLY } from '../../catalogue/registration.ts';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { DISPOSITIONS, LINEAGE_OUTCOMES } from '../../domain/governance/lineage/lineage.ts';
import { reconstructLineage } from '../../domain/governance/lineage/reconstruct.ts';
import type { AuditMeans } from './means.ts';

export const lineage = defineTool({
  ...OWNER_ONLY,
  name: 'audit.lineage',
  title: 'Reconstruct a call',
  summary:
    'Tells a call from its turn over request, result, verdict and approval to its disposition, and how whole that story is.',
  scopes: ['audit.read'],
  effect: 'read_only',
  example: { call_id: '0199…' },
  input: z.object({ call_id: z.string().max(100) }),
  output: z.object({
    call_id: z.string(),
    outcome: z.enum(LINEAGE_OUTCOMES),
    disposition: z.enum(DISPOSITIONS),
    steps: z.array(
      z.object({ step: z.string(), at: z.string().optional(), facts: z.record(z.string(), z.string()) }),
    ),
    remarks: z.array(z.string()),
    related: z.array(z.string()),
  }),
  async handler(use: AuditMeans, { call_id }, call) {
    const found = await reconstructLineage(use, call.read, call_id);
    return {
      call_id,
      outcome: found.outcome,
      disposition: found.disposition,
      steps: found.steps.map(({ step, at, facts }) => ({
        step,
        ...(at !== undefined && { at: new Date(at).toISOString() }),
        facts: { ...facts },
      })),
      remarks: [...found.remarks],
      related: [...found.related],
    };
  },
});

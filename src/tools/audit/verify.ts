/** Checks the audit log. */
import { z } from 'zod';
import { OWNER_ONLY } from '../../catalogue/registration.ts';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { verifyAudit } from '../../domain/governance/verify-audit.ts';
import type { AuditMeans } from './means.ts';

const head = z.object({
  writer: z.string(),
  sequence: z.int(),
  hash: z.string(),
  at: z.number(),
  signature: z.string(),
});

export const verify = defineTool({
  ...OWNER_ONLY,
  name: 'audit.verify',
  title: 'Verify the audit log',
  summary:
    'Checks every chain of records against itself and its signed heads; heads kept elsewhere may be given as well.',
  scopes: ['audit.read'],
  effect: 'read_only',
  limits: { timeoutMs: 600_000 },
  example: {},
  input: z.object({
    heads: z.array(head).max(1_000).optional().describe('Signed heads from an earlier export'),
  }),
  output: z.object({
    ok: z.boolean(),
    records: z.int(),
    heads: z.int(),
    chains: z.array(z.object({ writer: z.string(), sequence: z.int(), hash: z.string() })),
    faults: z.array(z.object({ writer: z.string(), sequence: z.int(), problem: z.string() })),
  }),
  async handler(use: AuditMeans, input, call) {
    const heads = [...use.heads.heads(), ...(input.heads ?? [])];
    const checked = await verifyAudit(
      { reader: use.reader, publicKey: use.heads.publicKey, own: use.writer },
      call.read,
      heads,
    );
    return { ...checked, chains: [...checked.chains], faults: [...checked.faults] };
  },
});

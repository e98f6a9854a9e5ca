/** Hands the audit log out, chain by chain. */
import { z } from 'zod';
import { OWNER_ONLY } from '../../catalogue/registration.ts';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { AuditMeans } from './means.ts';

const MAX_RECORDS = 1_000;

export const exportRecords = defineTool({
  ...OWNER_ONLY,
  name: 'audit.export',
  title: 'Export the audit log',
  summary:
    'Hands out records in the order of their chains, and the signed heads. A head kept elsewhere proves a rollback.',
  scopes: ['audit.read'],
  effect: 'read_only',
  limits: { outputBytes: 16 * 1024 * 1024 },
  example: {},
  input: z.object({
    writer: z.string().max(100).optional().describe('The chain to go on with'),
    from: z.int().min(1).default(1).describe('The sequence to begin with'),
  }),
  output: z.object({
    writers: z.array(z.string()),
    records: z.array(z.record(z.string(), z.unknown())),
    heads: z.array(z.record(z.string(), z.unknown())),
    public_key: z.string(),
    more: z.boolean(),
  }),
  async handler(use: AuditMeans, input, call) {
    const writers = await use.reader.writers(call.read);
    const writer = input.writer ?? writers[0];
    const found =
      writer === undefined ? [] : await use.reader.chain(call.read, writer, input.from, MAX_RECORDS + 1);
    return {
      writers: [...writers],
      records: found.slice(0, MAX_RECORDS).map((record) => ({ ...record })),
      heads: use.heads.heads().map((head) => ({ ...head })),
      public_key: use.heads.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      more: found.length > MAX_RECORDS,
    };
  },
});

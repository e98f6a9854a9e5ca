/** The records of one call. */
import { z } from 'zod';
import { OWNER_ONLY } from '../../catalogue/registration.ts';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { SluiceError } from '../../kernel/errors.ts';
import type { AuditMeans } from './means.ts';
import { factsOf, recordFacts } from './record-shape.ts';

export const get = defineTool({
  ...OWNER_ONLY,
  roles: ['owner', 'project_analyst'],
  name: 'audit.get',
  title: 'Show a call',
  summary: 'Shows every audit record of one call.',
  scopes: ['audit.read'],
  effect: 'read_only',
  example: { call_id: '0199…' },
  input: z.object({ call_id: z.string().max(100) }),
  output: z.object({ records: z.array(recordFacts) }),
  async handler(use: AuditMeans, input, call) {
    const records = await use.reader.ofCall(call.read, input.call_id);
    if (records.length === 0) {
      throw new SluiceError('not_found', `There is no record of a call "${input.call_id}"`, {
        field: 'call_id',
      });
    }
    return { records: records.map(factsOf) };
  },
});

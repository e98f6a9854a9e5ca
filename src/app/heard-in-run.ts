/** What a run got from providers, as the audit log tells it. */
import type { AuditReader } from '../domain/governance/audit-log.ts';
import type { HeardInRun } from '../gateway/mixed-runs.ts';

const LOOKED_AT = 50;

export const heardInRun =
  (reader: AuditReader): HeardInRun =>
  async (scope, run_id, since) => {
    const heard = await reader.list(
      scope,
      { run_id, family: 'providers', status: 'success', since },
      LOOKED_AT,
    );
    return {
      untrusted: heard.length > 0,
      sensitive: heard.some(({ effect }) => effect === 'sensitive_read'),
    };
  };

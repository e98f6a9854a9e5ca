/** What the audit family works with. */
import type { HeadFile } from '../../domain/governance/audit-heads.ts';
import type { AuditReader } from '../../domain/governance/audit-log.ts';

export interface AuditMeans {
  readonly reader: AuditReader;
  readonly heads: HeadFile;
  /** Whose heads they are. */
  readonly writer: string;
}

/** What the audit family works with. */
import type { ApprovalStore } from '../../domain/governance/approvals/approval-store.ts';
import type { HeadFile } from '../../domain/governance/audit-heads.ts';
import type { AuditReader } from '../../domain/governance/audit-log.ts';

export interface AuditMeans {
  readonly reader: AuditReader;
  readonly approvals: ApprovalStore;
  readonly heads: HeadFile;
  /** Whose heads they are. */
  readonly writer: string;
}

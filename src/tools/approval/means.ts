/** What the approval family works with. */
import type { ApprovalMeans } from '../../domain/governance/approvals/decide-approval.ts';
import type { PolicyMeans } from '../../domain/governance/manage-policy.ts';

export interface ApprovalFamilyMeans extends ApprovalMeans {
  readonly policy: PolicyMeans;
}

/** Changes what waits for a yes. What waits at that moment was put up under another policy, and is asked for anew. */
import { requireTicket, type WriteTicket } from '../../../kernel/ticket.ts';
import type { PolicyMeans } from '../manage-policy.ts';
import type { Settings } from '../settings.ts';
import type { ApprovalPolicy } from './approval-policy.ts';

export async function setApprovalPolicy(
  use: PolicyMeans,
  ticket: WriteTicket,
  wanted: Partial<ApprovalPolicy>,
): Promise<Settings> {
  const { tx } = requireTicket(ticket, 'setting', 'land');
  for (const [key, value] of Object.entries(wanted)) await use.store.putSetting(tx, key, value);
  tx.afterCommit(() => use.state.refresh());
  return (await use.state.within(tx)).settings;
}

/** Keeps what is held in memory in step with what other gateways on the same database change. */
import type { ApprovalDesk } from '../domain/governance/approvals/approval-desk.ts';
import type { GovernanceState } from '../domain/governance/governance-state.ts';
import type { SlotDirectory } from '../domain/providers/custody/slot-directory.ts';
import type { ProviderDirectory } from '../domain/providers/provider-directory.ts';
import type { LiveDirectory } from '../domain/workspace/workspaces.ts';
import { faultFields, type Log } from '../kernel/log.ts';

/** A revocation or the off switch must reach every gateway within a second. */
const EVERY_MS = 250;

export function followOthers(use: {
  readonly governance: GovernanceState;
  readonly directory: LiveDirectory;
  readonly providers: ProviderDirectory;
  readonly slots: SlotDirectory;
  readonly approvals: ApprovalDesk;
  readonly log: Log;
}): () => Promise<void> {
  let running = Promise.resolve();
  const look = async (): Promise<void> => {
    try {
      await use.governance.refresh();
      await use.directory.refresh();
      await use.providers.refresh();
      await use.slots.refresh();
      await use.approvals.refresh();
    } catch (error) {
      use.log.warn('others_not_followed', faultFields(error));
    }
  };
  const timer = setInterval(() => {
    running = running.then(look);
  }, EVERY_MS).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}

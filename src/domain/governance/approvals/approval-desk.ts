/** Where approvals are kept, and what of them is known without asking the store: most calls have none. */
import type { UnitOfWork } from '../../../kernel/ports/unit-of-work.ts';
import type { ApprovalStore } from './approval-store.ts';

export interface ApprovalDesk {
  readonly store: ApprovalStore;
  /** Whether an answer of this tool was held, let go by a person, and not fetched yet. */
  mayRelease(tool: string): boolean;
  /** Looks again, after a decision here or when another process may have made one. */
  refresh(): Promise<void>;
}

export async function createApprovalDesk(use: {
  readonly units: UnitOfWork;
  readonly store: ApprovalStore;
}): Promise<ApprovalDesk> {
  const load = async (): Promise<ReadonlySet<string>> =>
    new Set(await use.units.read((scope) => use.store.releasedTools(scope)));
  let released = await load();
  return {
    store: use.store,
    mayRelease: (tool) => released.has(tool),
    async refresh() {
      released = await load();
    },
  };
}

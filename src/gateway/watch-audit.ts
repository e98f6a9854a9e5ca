/** Remembers whether the audit log could be written when it was last tried, for whoever asks how it stands. */
import type { AuditLog } from '../domain/governance/audit-log.ts';

export interface WatchedAudit extends AuditLog {
  /** False from a failure on until something was written again. */
  readonly works: boolean;
}

export function watchAudit(audit: AuditLog): WatchedAudit {
  let works = true;
  const written = (): void => {
    works = true;
  };
  const failed = (error: unknown): never => {
    works = false;
    throw error;
  };
  return {
    get works() {
      return works;
    },
    reserve() {
      try {
        audit.reserve();
      } catch (error) {
        works = false;
        throw error;
      }
    },
    append: (entry, trail) => audit.append(entry, trail).then(written, failed),
    appendWith: (tx, entry, trail) => audit.appendWith(tx, entry, trail),
  };
}

/**
 * Refused requests, folded: the first of a source is recorded in full, further ones are counted and recorded once
 * a minute, so that a flood of them cannot fill the log.
 */
import type { AuditEntry } from '../domain/governance/audit-record.ts';

export interface RefusalFolder {
  note(entry: AuditEntry, source: string): Promise<void>;
  /** Records what was counted in windows that are over. */
  settle(now: number): Promise<void>;
  /** Records everything counted and not yet recorded. */
  flush(): Promise<void>;
}

const WINDOW_MS = 60_000;
/** Sources told apart at a time; all others share one. */
const MAX_SOURCES = 1_000;

interface Fold {
  readonly since: number;
  readonly first: AuditEntry;
  readonly source: string;
  count: number;
}

export function createRefusalFolder(append: (entry: AuditEntry) => Promise<void>): RefusalFolder {
  const folds = new Map<string, Fold>();

  const record = async (fold: Fold): Promise<void> => {
    if (fold.count === 0) return;
    const { first, source, count } = fold;
    await append({ ...first, kind: 'refused_source', source, repeat_count: count, duration_ms: null });
  };

  const settle = async (now: number): Promise<void> => {
    for (const [key, fold] of folds) {
      if (now - fold.since < WINDOW_MS) continue;
      folds.delete(key);
      try {
        await record(fold);
      } catch (error) {
        keepCounting(key, fold);
        throw error;
      }
    }
  };

  /** What could not be recorded is still to be recorded. */
  const keepCounting = (key: string, fold: Fold): void => {
    const later = folds.get(key);
    if (later) later.count += fold.count;
    else folds.set(key, fold);
  };

  return {
    settle,
    async note(entry, source) {
      await settle(entry.created_at);
      // Of each kind the first is worth a record of its own.
      const own = `${source} ${entry.gate ?? entry.error_code}`;
      const known = folds.has(own) || folds.size < MAX_SOURCES;
      const [key, name] = known ? [own, source] : ['(many)', '(many)'];
      const fold = folds.get(key);
      if (fold) {
        fold.count += 1;
        return;
      }
      folds.set(key, { since: entry.created_at, first: entry, source: name, count: 0 });
      await append({
        ...entry,
        kind: entry.subject_id === null ? 'refused_source' : entry.kind,
        source: name,
      });
    },
    async flush() {
      const open = [...folds.values()];
      folds.clear();
      for (const fold of open) await record(fold);
    },
  };
}

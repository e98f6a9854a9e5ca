/** Looks whether a database file is sound, without changing it; works while another process has it open. */
import { DatabaseSync } from 'node:sqlite';

/** The problem in words, or undefined. */
export function checkDatabase(path: string): string | undefined {
  try {
    const file = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
    try {
      const [row] = file.prepare('pragma quick_check(1)').all();
      const answer = String(row?.quick_check);
      return answer === 'ok' ? undefined : answer;
    } finally {
      file.close();
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

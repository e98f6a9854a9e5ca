/** The name that the system or a database has for a fault. Unlike its message it quotes nothing of anybody's data. */

/** SQLite's own names, by the low byte of its result codes. */
const SQLITE: Readonly<Record<number, string>> = {
  1: 'SQLITE_ERROR',
  3: 'SQLITE_PERM',
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  7: 'SQLITE_NOMEM',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  19: 'SQLITE_CONSTRAINT',
  26: 'SQLITE_NOTADB',
};

/** How many causes of causes are looked at. */
const MAX_DEPTH = 5;

/** ENOSPC, ECONNREFUSED, SQLITE_FULL, or PostgreSQL's five characters; undefined when there is none. */
export function systemCode(error: unknown): string | undefined {
  let at = error;
  for (let depth = 0; depth < MAX_DEPTH && at instanceof Error; depth += 1) {
    const { code, errcode } = at as { code?: unknown; errcode?: unknown };
    if (typeof errcode === 'number') return SQLITE[errcode & 0xff] ?? `SQLITE_${errcode & 0xff}`;
    if (typeof code === 'string' && /^(E[A-Z0-9]{2,20}|[0-9A-Z]{5})$/.test(code)) return code;
    at = at.cause;
  }
  return undefined;
}

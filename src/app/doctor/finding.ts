/** What the doctor finds, as data: which check, what it saw, and the fix where something is wrong. */
export interface Finding {
  readonly id: string;
  readonly ok: boolean;
  readonly finding: string;
  /** What to do about it; only where something is wrong. */
  readonly fix?: string;
  /** Kept data was altered or damaged. */
  readonly damage?: true;
}

export const good = (id: string, finding: string): Finding => ({ id, ok: true, finding });
export const bad = (id: string, finding: string, fix: string): Finding => ({ id, ok: false, finding, fix });
export const damaged = (id: string, finding: string, fix: string): Finding => ({
  ...bad(id, finding, fix),
  damage: true,
});

/** A path as a shell takes it. */
export const quoted = (path: string): string =>
  /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;

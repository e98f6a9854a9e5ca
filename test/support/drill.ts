/** Parts of a restore drill: what lies in a home, to be compared, and a command that is killed on its way. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { SLUICE } from './process.ts';
import { type Row, withRawDatabase } from './raw-database.ts';

/** Everything in the store but the audit log, which the drill itself goes on writing. */
export async function contentOf(home: string): Promise<Record<string, Row[]>> {
  return withRawDatabase(home, {}, async (database) => {
    const tables = await database.all<{ name: string }>(
      `select name from sqlite_master where type = 'table' and name not like 'sqlite%'
       and name not in ('audit', 'audit_segment', 'kept_result', 'read_trail') order by name`,
    );
    const content: Record<string, Row[]> = {};
    for (const { name } of tables) {
      const rows = await database.all(`select * from "${name}"`);
      content[name] = rows.sort((a, b) => (text(a) < text(b) ? -1 : 1));
    }
    return content;
  });
}

const text = (row: Row): string =>
  JSON.stringify(row, (_, value) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
  );

/** Kills a command so long after there is something to see of its work. Answers whether it ended by itself before. */
export function runAndKill(args: readonly string[], begun: () => boolean, afterMs: number): Promise<boolean> {
  return killOnce(spawn(SLUICE, [...args], { stdio: 'ignore' }), begun, afterMs);
}

/** A clock alone would mostly kill it while it is still starting, or when it is done. */
export async function killOnce(child: ChildProcess, begun: () => boolean, afterMs: number): Promise<boolean> {
  const ended = once(child, 'exit');
  while (child.exitCode === null && !begun()) await setTimeout(1);
  const timer = new AbortController();
  void setTimeout(afterMs, undefined, timer).then(
    () => child.kill('SIGKILL'),
    () => undefined,
  );
  const [code] = await ended;
  timer.abort();
  return code !== null;
}

/** Parts of a restore drill: what lies in a home, to be compared, and a command that is killed on its way. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
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

/** Answers whether the command had ended by itself before it was killed. */
export async function runAndKill(args: readonly string[], afterMs: number): Promise<boolean> {
  const child = spawn(SLUICE, [...args], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const timer = setTimeout(() => child.kill('SIGKILL'), afterMs);
  const [code] = await ended;
  clearTimeout(timer);
  return code !== null;
}

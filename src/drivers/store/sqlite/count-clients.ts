/** How many clients a database lets in, without opening the home it belongs to. */
import { DatabaseSync } from 'node:sqlite';

export function countValidClients(path: string, now: number): number {
  const file = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  try {
    const valid = file.prepare(
      `select count(*) as clients from credential
       where kind = 'client' and revoked_at is null and (expires_at is null or expires_at > ?)`,
    );
    return Number(valid.get(now)?.clients);
  } finally {
    file.close();
  }
}

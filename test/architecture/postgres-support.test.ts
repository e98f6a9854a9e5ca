import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Client } from 'pg';
import { describe, expect, it, vi } from 'vitest';
import { freshDatabase, useFreshDatabase } from '../support/postgres.ts';

const database = useFreshDatabase();

async function ask(url: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

describe('PostgreSQL for tests', () => {
  it('commits durably and sorts by bytes, as the stores are promised', async () => {
    const settings = `select current_setting('fsync') as fsync, current_setting('server_encoding') as encoding,
      current_setting('max_connections') as connections, array(select x from (values ('a'), ('B')) as v(x) order by x) as sorted`;
    expect(await ask(database.url ?? '', settings)).toEqual([
      { fsync: 'on', encoding: 'UTF8', connections: '200', sorted: ['B', 'a'] },
    ]);
  });

  it('gives databases that share nothing and can be dropped while in use', async () => {
    const other = await freshDatabase(database.url ?? '');
    await ask(other.url, 'create table pages (id int)');
    await expect(ask(database.url ?? '', 'select * from pages')).rejects.toThrow('does not exist');
    const busy = new Client({ connectionString: other.url });
    busy.on('error', () => undefined);
    await busy.connect();
    await other.drop();
    await expect(ask(other.url, 'select 1')).rejects.toThrow('does not exist');
  });

  it('is reached by its password only, on the loopback address only', async () => {
    const stranger = new URL(database.url ?? '');
    stranger.password = 'wrong';
    await expect(ask(stranger.href, 'select 1')).rejects.toThrow('password authentication failed');
    expect(await ask(database.url ?? '', 'show listen_addresses')).toEqual([
      { listen_addresses: '127.0.0.1' },
    ]);
  });

  it('leaves nothing behind when the process that started it is killed', async () => {
    const program = `const { startPostgres } = await import('${resolve('test/support/postgres-server.ts')}');
      console.log((await startPostgres()).url); setInterval(() => {}, 1000);`;
    const starter = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const url = String(await once(starter.stdout, 'data')).trim();
    const [place] = (await ask(url, 'show data_directory')) as { data_directory: string }[];
    const folder = dirname(place?.data_directory ?? '');
    expect(existsSync(folder)).toBe(true);
    starter.kill('SIGKILL');
    await vi.waitFor(() => expect(existsSync(folder)).toBe(false), 20_000);
    await expect(ask(url, 'select 1')).rejects.toThrow('ECONNREFUSED');
  });
});

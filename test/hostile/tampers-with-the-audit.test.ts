/** Does to the audit log of a real home what somebody would who has something to hide. */
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openHome } from '../../src/app/home-client.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { hashRecord } from '../../src/domain/governance/audit-chain.ts';
import { type SignedHead, signHead } from '../../src/domain/governance/audit-heads.ts';
import type { AuditRecord } from '../../src/domain/governance/audit-record.ts';
import { homeLayout } from '../../src/drivers/home/home-layout.ts';
import { silentLog } from '../../src/kernel/log.ts';
import { connectAdmin } from '../../src/surfaces/daemon-rpc/client.ts';
import { runSluice, startServer } from '../support/process.ts';
import { withRawDatabase } from '../support/raw-database.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const INTEGRITY_FAILED = 8;
const folder = temporaryFolder();
const original = join(folder, 'home');
const earlier = join(folder, 'earlier');
const exported = join(folder, 'export.ndjson');
let last = 0;

/** Enough records that heads were kept for good on the way, and a copy of the home from halfway. */
beforeAll(async () => {
  const work = async (calls: number): Promise<void> => {
    const server = await startServer(original);
    const owner = await connectAdmin(homeLayout(original).socket);
    for (let i = 0; i < calls; i += 1) await owner?.call(i % 10 ? 'get_workspace' : 'get_my_scopes', {});
    await owner?.close();
    await server.stop();
  };
  await work(400);
  cpSync(original, earlier, { recursive: true });
  await work(300);
  expect((await runSluice(original, ['audit', 'export', '--out', exported])).code).toBe(0);
  last = Number((await records(original)).at(-1)?.sequence);
  expect(last).toBeGreaterThan(700);
});

let copies = 0;
function copyOf(home: string): string {
  copies += 1;
  const copy = join(folder, `copy-${copies}`);
  cpSync(home, copy, { recursive: true });
  return copy;
}

const records = (home: string): Promise<AuditRecord[]> =>
  withRawDatabase(home, {}, (database) => database.all<AuditRecord>('select * from audit order by sequence'));

const sql = (home: string, statement: string): Promise<void> =>
  withRawDatabase(home, {}, (database) => database.run(statement));

interface Verdict {
  readonly ok: boolean;
  /** The record named as the first bad one. */
  readonly sequence: number | undefined;
  readonly problem: string;
}

/** As the command does where nothing runs: the home is opened in this process. */
async function verify(home: string, heads?: readonly SignedHead[]): Promise<Verdict> {
  const client = await openHome({ home, config: loadConfig(home).config, log: silentLog });
  try {
    const answer = (await client.call('audit.verify', { ...(heads && { heads }) })) as {
      ok: boolean;
      faults: { sequence: number; problem: string }[];
    };
    const [fault] = answer.faults;
    return { ok: answer.ok, sequence: fault?.sequence, problem: fault?.problem ?? '' };
  } finally {
    await client.close();
  }
}

/** Refused, at this record, now and when it is asked again. */
async function expectBad(home: string, sequence: number): Promise<void> {
  for (const _attempt of [1, 2]) expect(await verify(home)).toMatchObject({ ok: false, sequence });
}

const exportedHeads = (): SignedHead[] =>
  exportedLines()
    .map((line) => JSON.parse(line))
    .filter(({ type }) => type === 'head')
    .map(({ type: _, ...head }) => head);
const exportedLines = (): string[] => readFileSync(exported, 'utf8').trimEnd().split('\n');

it('[HOST-20] finds nothing wrong with an honest log', async () => {
  const home = copyOf(original);
  expect(await verify(home)).toMatchObject({ ok: true });
  expect(await verify(home, exportedHeads())).toMatchObject({ ok: true });
  expect((await runSluice(home, ['audit', 'verify', '--heads', exported])).code).toBe(0);
  expect((await runSluice(home, ['audit', 'verify', '--file', exported])).code).toBe(0);
});

it('[HOST-20] ends with a code of its own and names the first bad record, in words and in JSON', async () => {
  const home = copyOf(original);
  await sql(home, `update audit set decision = 'deny' where sequence in (60, 70)`);
  const words = await runSluice(home, ['audit', 'verify']);
  expect([words.code, words.stderr]).toEqual([INTEGRITY_FAILED, expect.stringMatching(/Record 60 of chain/)]);
  expect(words.stderr).not.toContain('try:');
  const json = await runSluice(home, ['audit', 'verify', '--json']);
  expect(json.code).toBe(INTEGRITY_FAILED);
  expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, faults: [{ sequence: 60 }] });
  expect(JSON.parse(json.stderr).error).toMatchObject({ code: 'integrity_failed', sequence: 60 });
});

describe('in the database', () => {
  it.each(['decision', 'subject_name', 'created_at', 'note', 'hash'])(
    '[HOST-20] a changed %s is found at its record',
    async (field) => {
      const home = copyOf(original);
      await sql(home, `update audit set ${field} = '1' where sequence = 123`);
      await expectBad(home, 123);
    },
  );

  it('[HOST-20] a record that was changed together with its hash is found at the next', async () => {
    const home = copyOf(original);
    const record = (await records(home))[99] as AuditRecord;
    const forged = { ...record, subject_name: 'somebody else' };
    await sql(
      home,
      `update audit set subject_name = 'somebody else', hash = '${hashRecord(forged)}' where sequence = 100`,
    );
    await expectBad(home, 101);
  });

  it('[HOST-20] a chain that was forged to its very end is found at the next head that was signed', async () => {
    const home = copyOf(original);
    const chain = await records(home);
    let previous = chain[299]?.hash ?? '';
    await withRawDatabase(home, {}, async (database) => {
      for (const record of chain.slice(300)) {
        const forged = {
          ...record,
          previous_hash: previous,
          user_id: record.sequence === 301 ? 'x' : record.user_id,
        };
        previous = hashRecord(forged);
        const user = forged.user_id === null ? 'null' : `'${forged.user_id}'`;
        await database.run(
          `update audit set user_id = ${user}, previous_hash = '${forged.previous_hash}', hash = '${previous}' where sequence = ${record.sequence}`,
        );
      }
    });
    const verdict = await verify(home);
    expect(verdict.ok).toBe(false);
    expect(verdict.sequence).toBeGreaterThanOrEqual(301);
    expect(verdict.sequence).toBeLessThanOrEqual(301 + 256);
    expect(verdict.problem).toMatch(/signed/);
  });

  it('[HOST-20] a record that was taken out is found where it is missing', async () => {
    const home = copyOf(original);
    await sql(home, 'delete from audit where sequence = 200');
    const verdict = await verify(home);
    expect(verdict.ok).toBe(false);
    expect([200, 201]).toContain(verdict.sequence);
  });

  it('[HOST-20] records that changed places are found at the first of them', async () => {
    const home = copyOf(original);
    await sql(
      home,
      `update audit set sequence = -1 where sequence = 150;
       update audit set sequence = 150 where sequence = 151;
       update audit set sequence = 151 where sequence = -1;`,
    );
    await expectBad(home, 150);
  });

  it('[HOST-20] a beginning that is gone is not taken for retention', async () => {
    const home = copyOf(original);
    await sql(home, 'delete from audit where sequence <= 50');
    expect((await verify(home)).ok).toBe(false);
  });

  it.each([1, 5, 350])(
    '[HOST-21] a tail of %i records that is gone is found at the first of them',
    async (count) => {
      const home = copyOf(original);
      await sql(home, `delete from audit where sequence > ${last - count}`);
      const first = await verify(home);
      expect(first).toMatchObject({ ok: false, sequence: last - count + 1 });
      // What was written since does not cover it up.
      const again = await startServer(home);
      await again.stop();
      for (let i = 0; i < 8; i += 1) await verify(home);
      expect((await verify(home)).ok).toBe(false);
    },
  );
});

describe('by going back in time', () => {
  it('[HOST-21] an older database is found', async () => {
    const home = copyOf(original);
    cpSync(homeLayout(earlier).database, homeLayout(home).database);
    const verdict = await verify(home);
    expect(verdict.ok).toBe(false);
    expect(verdict.sequence).toBeGreaterThan(400);
    expect(verdict.problem).toMatch(/missing|signed/);
  });

  it('[HOST-22] an older database with its older heads is found by a head that was kept elsewhere, and only by it', async () => {
    const home = copyOf(earlier);
    expect((await verify(home)).ok).toBe(true);
    const verdict = await verify(home, exportedHeads());
    expect(verdict.ok).toBe(false);
    expect(verdict.problem).toMatch(/missing|signed/);
    const told = await runSluice(home, ['audit', 'verify', '--heads', exported]);
    expect([told.code, told.stderr]).toEqual([
      INTEGRITY_FAILED,
      expect.stringMatching(/Record \d+ of chain/),
    ]);
  });

  it('[HOST-22] so is a home whose log, heads and signing key were all made anew', async () => {
    const home = copyOf(original);
    const layout = homeLayout(home);
    const { privateKey } = generateKeyPairSync('ed25519');
    writeFileSync(join(layout.keys, 'audit.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
    rmSync(layout.heads, { recursive: true });
    const verdict = await verify(home, exportedHeads());
    expect(verdict.ok).toBe(false);
    expect(verdict.problem).toMatch(/signature/);
  });
});

describe('in the signed heads', () => {
  it('[HOST-23] a head with a signature of somebody else is found', async () => {
    const home = copyOf(original);
    const [writer, hash] = [String((await records(home))[0]?.writer), 'f'.repeat(64)];
    const { privateKey } = generateKeyPairSync('ed25519');
    const forged = signHead({ writer, sequence: last, hash }, Date.now(), privateKey);
    writeFileSync(join(homeLayout(home).heads, 'newest'), `${JSON.stringify(forged).padEnd(511)}\n`);
    const verdict = await verify(home);
    expect(verdict).toMatchObject({ ok: false, sequence: last });
    expect(verdict.problem).toMatch(/signature/);
  });

  it('[HOST-23] a genuine head that was moved to another record is found', async () => {
    const home = copyOf(original);
    const layout = homeLayout(home);
    const writer = String((await records(home))[0]?.writer);
    const key = createPrivateKey(readFileSync(join(layout.keys, 'audit.pem')));
    const moved = signHead({ writer, sequence: 90, hash: 'e'.repeat(64) }, Date.now(), key);
    writeFileSync(join(layout.heads, 'kept.jsonl'), `${JSON.stringify(moved)}\n`, { flag: 'a' });
    await expectBad(home, 90);
  });
});

describe('by taking the signed heads away', () => {
  it('[HOST-50] a log without them is bad, and does not become good by what is written since', async () => {
    const home = copyOf(original);
    rmSync(homeLayout(home).heads, { recursive: true });
    await sql(home, 'delete from audit where sequence > 300');
    await expectBad(home, 301);
    const again = await startServer(home);
    await again.stop();
    await expectBad(home, 301);
    const told = await runSluice(home, ['audit', 'verify']);
    expect([told.code, told.stderr]).toEqual([INTEGRITY_FAILED, expect.stringMatching(/no signed head/)]);
  });

  it('[HOST-50] so is one whose newest head alone is gone, and one that was cut to its first record', async () => {
    const home = copyOf(original);
    rmSync(join(homeLayout(home).heads, 'newest'));
    await sql(home, 'delete from audit where sequence > 710');
    expect((await verify(home)).ok).toBe(false);
    const cut = copyOf(original);
    rmSync(homeLayout(cut).heads, { recursive: true });
    await sql(cut, 'delete from audit where sequence > 1');
    expect((await verify(cut)).ok).toBe(false);
  });

  it('[HOST-50] and one whose heads were taken while it was written', async () => {
    const home = copyOf(original);
    const server = await startServer(home);
    for (const name of ['newest', 'kept.jsonl']) rmSync(join(homeLayout(home).heads, name), { force: true });
    expect(await verify(home)).toMatchObject({ ok: false, problem: expect.stringMatching(/no signed head/) });
    await server.stop();
  });
});

describe('in an export', () => {
  const end = (): number =>
    Math.max(
      ...exportedLines().flatMap((line) =>
        line.includes('"type":"record"') ? JSON.parse(line).sequence : [],
      ),
    );

  async function verifyLines(changed: readonly string[], ...options: string[]) {
    copies += 1;
    const file = join(folder, `export-${copies}.ndjson`);
    writeFileSync(file, `${changed.join('\n')}\n`);
    const ended = await runSluice(join(folder, 'no-home'), [
      'audit',
      'verify',
      '--json',
      '--file',
      file,
      ...options,
    ]);
    const error = ended.code === 0 ? {} : JSON.parse(ended.stderr).error;
    return { code: ended.code, sequence: error.sequence, message: error.message };
  }

  it('[HOST-24] a changed, missing or moved line is found at its record', async () => {
    const changed = exportedLines();
    changed[49] = changed[49]?.replace('"decision":"allow"', '"decision":"deny"') ?? '';
    expect(await verifyLines(changed)).toMatchObject({ code: INTEGRITY_FAILED, sequence: 50 });
    const missing = exportedLines().toSpliced(69, 1);
    expect((await verifyLines(missing)).code).toBe(INTEGRITY_FAILED);
    const cut = exportedLines().filter(
      (line) => !line.startsWith(`{"type":"record"`) || JSON.parse(line).sequence < end(),
    );
    expect(await verifyLines(cut)).toMatchObject({ code: INTEGRITY_FAILED, sequence: end() });
    const swapped = exportedLines();
    const [a = '', b = ''] = swapped.slice(19, 21);
    swapped[19] = b.replace('"sequence":21', '"sequence":20');
    swapped[20] = a.replace('"sequence":20', '"sequence":21');
    expect(await verifyLines(swapped)).toMatchObject({ code: INTEGRITY_FAILED, sequence: 20 });
  });

  it('[HOST-24] an export that somebody signed anew is told by the key of an earlier one', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const forged = exportedLines().map((line) => {
      const read = JSON.parse(line);
      if (read.type === 'head')
        return JSON.stringify({ type: 'head', ...signHead(read, read.at, privateKey) });
      if (read.type !== 'key') return line;
      return JSON.stringify({ type: 'key', public_key: publicKey.export({ type: 'spki', format: 'pem' }) });
    });
    expect((await verifyLines(forged)).code).toBe(0);
    expect((await verifyLines(forged, '--heads', exported)).code).toBe(INTEGRITY_FAILED);
  });

  it('[HOST-50] one without a signed head is refused', async () => {
    const headless = exportedLines().filter((line) => !line.startsWith('{"type":"head"'));
    const { code, message } = await verifyLines(headless.filter((line) => !line.includes('"sequence":7')));
    expect([code, message]).toEqual([INTEGRITY_FAILED, expect.stringMatching(/no signed head/)]);
  });

  it('[HOST-24] what is no export says so', async () => {
    for (const text of ['', 'not json', '{"type":"key","public_key":"x"}', 'null']) {
      const { code, message } = await verifyLines([text]);
      expect([code, message], text).toEqual([2, expect.stringMatching(/export/)]);
    }
    const gone = join(folder, 'nowhere');
    for (const options of [
      ['--file', gone],
      ['--heads', gone],
    ]) {
      const ended = await runSluice(join(folder, 'no-home'), ['audit', 'verify', ...options]);
      expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining('cannot be read')]);
    }
  });
});

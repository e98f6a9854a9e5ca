/** A folder with everything real vaults hold comes in and goes out byte for byte, and its links mean what they must. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createSluice, type Sluice } from '../../src/app/create-sluice.ts';
import { exportFolder } from '../../src/app/export-folder.ts';
import { EXPORT_MARKER } from '../../src/app/export-marker.ts';
import { type ImportReport, importFolder } from '../../src/app/import-folder.ts';
import { expectConsistent } from '../support/check-consistency.ts';
import { onEachStore } from '../support/each-store.ts';
import { type GeneratedVault, generateVault, writeVault } from '../support/generate-vault.ts';
import { randomFor, soaking, times } from '../support/random.ts';
import { withRawDatabase } from '../support/raw-database.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const NOTES = times(300, 5_000);
vi.setConfig({ testTimeout: soaking ? 1_800_000 : 120_000, hookTimeout: soaking ? 1_800_000 : 120_000 });

onEachStore('a vault', (under) => {
  const [home, source, target] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  let sluice: Sluice;
  let vault: GeneratedVault;
  let report: ImportReport;
  const wish = { folder: source, dialect: 'obsidian', canonical: false, dryRun: false } as const;

  beforeAll(async () => {
    if (!under.available()) return;
    vault = generateVault(randomFor('vault'), NOTES);
    writeVault(source, vault);
    sluice = await createSluice({ home, config: under.config() });
    report = await importFolder(sluice.call, wish);
  });
  afterAll(() => sluice?.close());

  it('[IMP-01] goes out with the same names and bytes as it came in', async () => {
    await exportFolder(sluice.call, { folder: target, force: false });
    const out = readAll(target);
    expect([...out.keys()].sort()).toEqual([...vault.files.keys()].sort());
    for (const [path, bytes] of vault.files) expect(out.get(path)?.equals(bytes), path).toBe(true);
  });

  it('[IMP-02] has links that mean what the paths of the files say', async () => {
    const rows = await withRawDatabase(home, under.config(), (database) =>
      database.all<{ source: string; ordinal: number; status: string; target: string | null; path: string }>(
        `select source.file_path as source, ordinal, status, target.file_path as target, page_link.path
         from page_link join page source on source.id = source_id left join page target on target.id = target_id
         order by source.file_path, ordinal`,
      ),
    );
    const found = Map.groupBy(rows, (row) => row.source);
    for (const [path, wanted] of vault.links) {
      const own = found.get(path) ?? [];
      const seen = own.map(({ status, target: page }) => ({
        status,
        ...(page !== null && { target: page }),
      }));
      expect(seen, `${path}: ${own.map((link) => link.path).join(' · ')}`).toEqual(wanted);
    }
  });

  it('[IMP-03] is reported on: what is odd, by the file it is in', () => {
    const problems = report.odd.map(({ path, problem }) => `${path}: ${problem}`);
    expect(problems).toContainEqual(expect.stringMatching(/^broken\/latin1\.md: is not text in UTF-8/));
    expect(problems).toContainEqual(expect.stringMatching(/^broken\/nul\.md: is not text/));
    expect(problems).toContainEqual(expect.stringMatching(/a code fence is never closed/));
    expect(report.links.unresolved).toBe(
      [...vault.links.values()].flat().filter(({ status }) => status === 'unresolved').length,
    );
    expect(report.links.ambiguous).toBe(
      [...vault.links.values()].flat().filter(({ status }) => status === 'ambiguous').length,
    );
  });

  it('[IMP-04] that is imported again changes nothing', async () => {
    const events = () =>
      withRawDatabase(home, under.config(), (database) => database.all('select count(*) as n from event'));
    const before = await events();
    const again = await importFolder(sluice.call, wish);
    expect(again.notes).toMatchObject({ created: 0, updated: 0, conflict: 0, refused: 0 });
    expect(again.attachments.attached).toBe(0);
    expect(await events()).toEqual(before);
    expect(await exportFolder(sluice.call, { folder: target, force: false })).toMatchObject({
      written: 0,
      removed: 0,
      foreign: 0,
    });
  });

  it('[IMP-05] leaves a workspace in which everything derived is as the texts say', async () => {
    await expectConsistent(home, under.config());
  });
});

function readAll(folder: string): Map<string, Buffer> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return new Map(
    files
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(folder.length + 1), readFileSync(path)] as const)
      .filter(([path]) => path !== EXPORT_MARKER),
  );
}

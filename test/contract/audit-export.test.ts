/** Exports of the audit log, taken while others write. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exportLines, verifyExport } from '../../src/app/audit-export.ts';
import { createSluice, type Sluice } from '../../src/app/create-sluice.ts';
import { onEachStore } from '../support/each-store.ts';
import { withRawDatabase } from '../support/raw-database.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

onEachStore('an export of the audit log', (under) => {
  const home = temporaryFolder();
  const open: Sluice[] = [];
  beforeAll(async () => {
    if (!under.available()) return;
    open.push(await createSluice({ home, config: under.config() }));
    // A second gateway where the store can have one: its chain is exported after the first one's.
    if (under.kind === 'postgres')
      open.push(await createSluice({ home: temporaryFolder(), config: under.config() }));
  });
  afterAll(() => Promise.all(open.map((sluice) => sluice.close())));

  async function exportFrom(sluice: Sluice | undefined): Promise<string> {
    const file = join(temporaryFolder(), 'export.ndjson');
    const lines: string[] = [];
    for await (const line of exportLines(async (wish) => (await sluice?.call('audit.export', wish)) ?? {}))
      lines.push(line);
    writeFileSync(file, lines.join('\n'));
    return file;
  }

  it('[AUD-20] verifies, whichever gateway it is taken at and whoever writes meanwhile', async () => {
    for (const sluice of open) {
      const [file] = await Promise.all([
        exportFrom(sluice),
        ...Array.from({ length: 20 }, (_, i) => open[i % open.length]?.call('get_my_scopes')),
      ]);
      expect(await verifyExport(file)).toMatchObject({ ok: true, faults: [] });
    }
  });

  it('[AUD-20] carries the head that shows that records are gone', async () => {
    await withRawDatabase(home, under.config(), (database) =>
      database.run('delete from audit where sequence > 3'),
    );
    expect(await verifyExport(await exportFrom(open[0]))).toMatchObject({ ok: false });
  });
});

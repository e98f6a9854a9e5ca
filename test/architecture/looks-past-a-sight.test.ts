/** What a caller may not see is looked at in few places, each of them named here with what it keeps in order. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const NAMED: Readonly<Record<string, string>> = {
  'domain/workspace/apply-relink.ts': 'links on all pages',
  'domain/workspace/change-metadata.ts': 'links to all that lies below',
  'domain/workspace/create-page.ts': 'links to the new page',
  'domain/workspace/import-attachments.ts': 'links to the new file',
  'domain/workspace/import-tree.ts': 'links to new pages',
  'domain/workspace/insert-pages.ts': 'links of new pages',
  'domain/workspace/land-rewrites.ts': 'texts of all pages that links are rewritten on',
  'domain/workspace/land-text.ts': 'the link index',
  'domain/workspace/permissions/drop-box.ts': 'boxes that the caller was given',
  'domain/workspace/place-allotment.ts': 'positions',
  'domain/workspace/place-anew.ts': 'links to all that lies below, and the place of a page',
  'domain/workspace/place-page.ts': 'positions',
  'domain/workspace/plan-relink.ts': 'links on all pages',
  'domain/workspace/purge-page.ts': 'nothing: it asks whether anything is hidden',
  'domain/workspace/refresh-metadata.ts': 'links by alias',
  'domain/workspace/restore-page.ts': 'all that comes out of the trash',
  'domain/workspace/trash-page.ts': 'all that goes into the trash',
  'domain/workspace/undo-change.ts': 'links that were rewritten on all pages',
  'drivers/store/permission-store.ts': 'which changes not to tell of',
  'drivers/store/vector-store.ts': 'the shelf of vectors that all callers share',
  'drivers/store/scopes.ts': 'where it is declared',
  'drivers/store/veil.ts': 'where it is declared',
  'kernel/ports/unit-of-work.ts': 'where it is declared',
};

it('[PERM-22] only what is named here looks past the sight of its caller', () => {
  const root = new URL('../../src/', import.meta.url);
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts'),
  );
  const looking = files.filter((path) =>
    /\bunveiled\b|\bbehind\(/.test(
      readFileSync(new URL(path, root), 'utf8').replace(/^\s*(\/\/|\*|\/\*\*).*$/gm, ''),
    ),
  );
  expect(looking.sort()).toEqual(Object.keys(NAMED).sort());
});

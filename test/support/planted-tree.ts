/** A temporary folder of files that lives as long as one test. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Text by path. */
export type Planted = Readonly<Record<string, string>>;

export function plantTree(files: Planted): string {
  const root = mkdtempSync(join(tmpdir(), 'sluice-tree-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

/** Packages and built-in modules: reserved ones only where the table says, and nothing that is not a dependency. */
import type { CheckedFile, Finding, Tree } from '../finding.ts';
import { isWithin, type Reservation } from '../layer-table.ts';
import { packageOf, resolveImport } from '../read-imports.ts';

/** What tests may import beyond what the product may. */
const forTests = /^(vitest|fast-check|micromark.*)$/;

export function* packages(file: CheckedFile, tree: Tree): Iterable<Finding> {
  for (const { specifier, at } of file.imports) {
    if (specifier === undefined || resolveImport(file.path, specifier) !== undefined) continue;
    const builtin = specifier.startsWith('node:');
    if (file.isTest && (builtin || forTests.test(packageOf(specifier)))) continue;

    const reservations = tree.table.reserved.filter((entry) => reserves(entry, specifier));
    for (const { only } of reservations) {
      if (isWithin(file.path, only)) continue;
      yield { rule: 'reserved-module', at, message: `${specifier} is reserved for ${only.join(', ')}` };
    }
    const known = builtin || tree.table.packages.has(packageOf(specifier));
    if (!known && !(file.isTest && reservations.length > 0)) {
      yield { rule: 'package-unlisted', at, message: `${specifier} is no dependency of the product` };
    }
  }
}

function reserves(entry: Reservation, specifier: string): boolean {
  if (entry.module === undefined) return false;
  return entry.module.endsWith('*')
    ? specifier.startsWith(entry.module.slice(0, -1))
    : specifier === entry.module;
}

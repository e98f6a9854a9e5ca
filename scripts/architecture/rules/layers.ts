/** Imports follow the layer table, stay inside the tree and name files that are there. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckedFile, Finding, Tree } from '../finding.ts';
import { type LayerTable, type Place, placeOf } from '../layer-table.ts';
import { type Import, resolveImport } from '../read-imports.ts';

/** What the public API may show of each layer; nothing else may be reached from it. */
const publicApi = new Map([
  ['app', 'all'],
  ['kernel', 'all'],
  ['catalogue', 'types'],
]);

/** Where imports may lead outside the tree: the version has one home, and tests share their support. */
const outside = [
  { path: /^\.\.\/package\.json$/, testsOnly: false },
  { path: /^\.\.\/test\/support\/[^.]/, testsOnly: true },
];

export function* layers(file: CheckedFile, tree: Tree): Iterable<Finding> {
  yield* misplaced(file, tree.table);
  for (const found of file.imports) {
    if (found.specifier === undefined) {
      // Only a driver has a reason to load code that is not ours.
      if (file.place?.layer.name === 'drivers') continue;
      const message = 'imports a computed path, which no check can follow';
      yield { rule: 'import-computed', at: found.at, message };
      continue;
    }
    const target = resolveImport(file.path, found.specifier);
    if (target === undefined) continue;
    const refusal = whyNot(file, found, target, tree);
    if (refusal) yield { ...refusal, at: found.at };
  }
}

function* misplaced(file: CheckedFile, table: LayerTable): Iterable<Finding> {
  if (file.path === 'index.ts') return;
  if (!file.place) {
    const known = table.layers.map((layer) => layer.path).join(', ');
    yield { rule: 'layer-unknown', at: 0, message: `lies in no layer (${known})` };
  } else if (file.place.layer.parts && file.place.part === undefined) {
    const message = `lies directly in ${file.place.layer.name}, which is divided into parts`;
    yield { rule: 'layer-part', at: 0, message };
  }
}

function whyNot(
  file: CheckedFile,
  found: Import,
  target: string,
  tree: Tree,
): Omit<Finding, 'at'> | undefined {
  if (!existsSync(join(tree.root, target))) {
    return { rule: 'import-missing', message: `imports ${found.specifier}, which does not exist` };
  }
  if (target.startsWith('../')) {
    const allowed = outside.some(({ path, testsOnly }) => path.test(target) && (file.isTest || !testsOnly));
    return allowed
      ? undefined
      : { rule: 'import-outside', message: `imports ${found.specifier} outside the tree` };
  }
  const to = placeOf(target, tree.table);
  if (to && file.path === 'index.ts' && isPublic(to, found)) return undefined;
  if (to && file.place && mayImport(file.place, to)) return undefined;
  const from = file.place ? describe(file.place) : 'the public API';
  const message = `${from} may not import ${to ? describe(to) : target} (${found.specifier})`;
  return { rule: 'layer-import', message };
}

function isPublic(to: Place, found: Import): boolean {
  const shown = publicApi.get(to.layer.name);
  return shown === 'all' || (shown === 'types' && found.kind === 'type');
}

function mayImport(from: Place, to: Place): boolean {
  if (from.layer !== to.layer) {
    return from.layer.mayImport.some(
      (entry) => entry === to.layer.name || entry === `${to.layer.name}/${to.part}`,
    );
  }
  if (!from.layer.parts || from.part === to.part) return true;
  return (
    from.part !== undefined && to.part !== undefined && !!from.layer.siblings?.[from.part]?.includes(to.part)
  );
}

function describe({ layer, part }: Place): string {
  return part === undefined ? layer.name : `${layer.name}/${part}`;
}

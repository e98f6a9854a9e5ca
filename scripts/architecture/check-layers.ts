/**
 * Checks a source tree against architecture.config.js and the house rules, and prints one line a finding.
 * Usage: node scripts/architecture/check-layers.ts [root]
 */
import { join } from 'node:path';
import { listFiles } from '../source/list-files.ts';
import { readSource } from '../source/source-file.ts';
import { findCycles } from './find-cycles.ts';
import type { CheckedFile, Finding, Rule, Tree } from './finding.ts';
import { type LayerTable, loadLayerTable, placeOf } from './layer-table.ts';
import { readImports, resolveImport } from './read-imports.ts';
import { globals } from './rules/globals.ts';
import { handlers } from './rules/handlers.ts';
import { layers } from './rules/layers.ts';
import { names } from './rules/names.ts';
import { packages } from './rules/packages.ts';
import { shape } from './rules/shape.ts';
import { sql } from './rules/sql.ts';
import { tickets } from './rules/tickets.ts';
import { toolNames } from './rules/tool-names.ts';

const rules: readonly Rule[] = [layers, packages, globals, shape, names, toolNames, handlers, tickets, sql];

/** One line a finding: `path:line rule message`. */
export function checkLayers(root: string, table: LayerTable): string[] {
  const tree = readTree(root, table);
  const lines: string[] = [];
  const report = (file: CheckedFile, { at, rule, message }: Finding): void => {
    lines.push(`${join(root, file.path)}:${file.source.lineAt(at)} ${rule} ${message}`);
  };
  for (const file of tree.files.values()) {
    for (const rule of rules) for (const finding of rule(file, tree)) report(file, finding);
  }
  for (const cycle of findCycles(runtimeEdges(tree))) {
    const [first] = cycle;
    const file = first === undefined ? undefined : tree.files.get(first);
    if (file) report(file, { rule: 'cycle', at: 0, message: cycle.join(' → ') });
  }
  return lines;
}

function readTree(root: string, table: LayerTable): Tree {
  // JavaScript is read too: a rule that only TypeScript had to keep could be left by renaming a file.
  const paths = listFiles(root, (path) => /\.[cm]?[jt]sx?$/.test(path));
  const files = paths.map((path): [string, CheckedFile] => {
    const source = readSource(join(root, path));
    const isTest = /\.test\.ts$/.test(path);
    return [path, { path, place: placeOf(path, table), isTest, source, imports: readImports(source) }];
  });
  return { root, table, files: new Map(files) };
}

/** Who loads whom when the program runs. */
function runtimeEdges(tree: Tree): Map<string, string[]> {
  const edges = new Map<string, string[]>();
  for (const file of tree.files.values()) {
    const targets = file.imports
      .filter(({ kind }) => kind === 'static' || kind === 'dynamic')
      .map(({ specifier }) => resolveImport(file.path, specifier ?? ''));
    edges.set(
      file.path,
      targets.filter((target) => target !== undefined && tree.files.has(target)) as string[],
    );
  }
  return edges;
}

if (import.meta.main) {
  const findings = checkLayers(process.argv[2] ?? 'src', await loadLayerTable());
  for (const finding of findings) console.error(finding);
  process.exitCode = findings.length > 0 ? 1 : 0;
}

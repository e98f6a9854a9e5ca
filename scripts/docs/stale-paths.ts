/**
 * Finds paths in the documentation that are not in the repository (any more).
 *
 * A code span outside fenced blocks is a repository path when it has no space, no `<`, `>`, `*`, `{`, `}`, `$`,
 * `(`, `|` or `…`, and is one of:
 * - a path whose first folder is one of the top folders below, whether or not that folder exists;
 * - the name of a root file listed below;
 * - a path to a `.ts` file whose first folder is a layer, which is read below src/.
 * Everything else (`tools/list`, `sandbox/create`, `/mcp`, `https://…`, a file of the user's) is no path of ours.
 * A trailing `:12` is a line. Links to relative addresses must lead somewhere too.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type LayerTable, loadLayerTable } from '../architecture/layer-table.ts';
import { listFiles } from '../source/list-files.ts';

const topFolders = /^(src|test|docs|scripts|bin|bench|examples|console|\.ci)\//;
const rootFiles = new Set([
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'LICENSE', 'NOTICE'],
  ...[
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'biome.json',
    'knip.json',
    '.npmrc',
    '.gitignore',
  ],
  ...['architecture.config.js', 'vitest.config.ts'],
]);
const noPath = /[\s<>*{}$(|…]/;

export function findStalePaths(root: string, layers: LayerTable['layers']): string[] {
  return documents(root).flatMap((document) => {
    const text = withoutFences(readFileSync(join(root, document), 'utf8'));
    return text.split('\n').flatMap((line, index) => {
      const where = `${document}:${index + 1}`;
      return [
        ...codeSpans(line)
          .map((span) => repositoryPath(span, layers))
          .filter((path) => path !== undefined && !isThere(join(root, path)))
          .map((path) => `${where} stale-path ${path} does not exist`),
        ...relativeLinks(line)
          .filter((link) => !isThere(join(root, dirname(document), link)))
          .map((link) => `${where} stale-link ${link} leads nowhere`),
      ];
    });
  });
}

/** CHANGELOG.md speaks of the past, so it may name what is gone. */
function documents(root: string): string[] {
  const top = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md'];
  const below = listFiles(join(root, 'docs'), (path) => path.endsWith('.md'));
  return [...top.filter((path) => existsSync(join(root, path))), ...below.map((path) => `docs/${path}`)];
}

/** Fenced blocks hold commands, trees and samples; their lines stay, empty, so that line numbers hold. */
function withoutFences(text: string): string {
  return text.replace(/^ *(```+|~~~+)[\s\S]*?^ *\1/gm, (block) => block.replace(/[^\n]/g, ''));
}

function codeSpans(line: string): string[] {
  return [...line.matchAll(/(`+)(.+?)\1(?!`)/g)].map((match) => match[2]?.trim() ?? '');
}

function relativeLinks(line: string): string[] {
  const links = line.replace(/(`+).+?\1/g, '').matchAll(/\]\(([^)\s#]+)[^)]*\)/g);
  return [...links].map((match) => match[1] ?? '').filter((link) => !/^([a-z+.-]+:|\/)/i.test(link));
}

export function repositoryPath(span: string, layers: LayerTable['layers']): string | undefined {
  if (noPath.test(span)) return undefined;
  const path = span.replace(/:\d+$/, '');
  if (topFolders.test(path) || rootFiles.has(path)) return path;
  const inLayer = /\.ts$/.test(path) && layers.some((layer) => path.startsWith(`${layer.path}/`));
  return inLayer ? `src/${path}` : undefined;
}

function isThere(path: string): boolean {
  return path.endsWith('/')
    ? (statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false)
    : existsSync(path);
}

if (import.meta.main) {
  const { layers } = await loadLayerTable();
  const findings = findStalePaths(process.argv[2] ?? '.', layers);
  for (const finding of findings) console.error(finding);
  process.exitCode = findings.length > 0 ? 1 : 0;
}

/** Reads the numbered rules of docs/requirements: list items or table rows that begin with an id. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listFiles } from '../source/list-files.ts';

export const ruleId = /[A-Z]{2,8}-\d{2,3}/;

export interface RequirementRule {
  readonly id: string;
  readonly sentence: string;
  /** `path:line` below the root. */
  readonly where: string;
}

const home = 'docs/requirements';
const mark = '[*_`]*';
const rule = new RegExp(
  `^\\s*(?:[-*+]|\\d+\\.|\\|)\\s*${mark}(${ruleId.source})${mark}(?![\\w-])[\\s|:.–—-]*(.*)$`,
);

/** README.md explains the form with examples, so it holds no rules. */
export function readRules(root: string): RequirementRule[] {
  const files = listFiles(join(root, home), (path) => path.endsWith('.md') && path !== 'README.md');
  return files.flatMap((file) => {
    const lines = readFileSync(join(root, home, file), 'utf8').split('\n');
    return lines.flatMap((line, index) => {
      const [, id, rest] = rule.exec(line) ?? [];
      if (id === undefined || rest === undefined) return [];
      return [{ id, sentence: rest.replace(/[\s|]+$/, ''), where: `${home}/${file}:${index + 1}` }];
    });
  });
}

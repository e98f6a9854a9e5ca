/** Cases for the firewall from files: one JSON document with `cases`, or one case a line. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { invalidInput } from '../kernel/errors.ts';

export interface FirewallCase {
  readonly id: string;
  readonly text: string;
  readonly expect: string;
}

export function readCases(path: string): readonly FirewallCase[] {
  const files = statSync(path).isDirectory()
    ? readdirSync(path)
        .filter((name) => /\.jsonl?$/.test(name))
        .sort()
        .map((name) => join(path, name))
    : [path];
  const cases = files.flatMap(casesIn);
  if (cases.length === 0) throw invalidInput('path', `holds no cases: "${path}"`);
  return cases;
}

function casesIn(path: string): readonly FirewallCase[] {
  const text = readFileSync(path, 'utf8');
  try {
    if (path.endsWith('.jsonl'))
      return text
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => JSON.parse(line) as FirewallCase);
    return (JSON.parse(text) as { readonly cases: readonly FirewallCase[] }).cases ?? [];
  } catch {
    throw invalidInput('path', `must be JSON with "cases", or one case a line in .jsonl: "${path}"`);
  }
}

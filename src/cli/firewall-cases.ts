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
  const cases = filesAt(path).flatMap(casesIn);
  if (cases.length === 0) throw invalidInput('path', `holds no cases: "${path}"`);
  return cases;
}

function filesAt(path: string): readonly string[] {
  try {
    if (!statSync(path).isDirectory()) return [path];
    return readdirSync(path)
      .filter((name) => /\.jsonl?$/.test(name))
      .sort()
      .map((name) => join(path, name));
  } catch {
    throw invalidInput('path', `cannot be read: "${path}"`);
  }
}

function casesIn(path: string): readonly FirewallCase[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw invalidInput('path', `cannot be read: "${path}"`);
  }
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

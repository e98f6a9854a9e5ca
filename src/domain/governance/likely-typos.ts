/** What may be a typo in what an administrator names: allowed, for it may exist later, but worth a word. */
import { matchesPattern } from './name-pattern.ts';

interface Known {
  readonly tools: readonly string[];
  readonly families: readonly string[];
}

export function noSuchTool(pattern: string, known: Known, about: 'tool' | 'family' = 'tool'): string[] {
  const names = about === 'tool' ? known.tools : known.families;
  if (names.some((name) => matchesPattern(pattern, name))) return [];
  return [`There is no ${about} that fits "${pattern}" now`];
}

export function noSuchName(kind: 'client' | 'role', name: string, known: Iterable<string>): string[] {
  return [...known].includes(name) ? [] : [`There is no ${kind} "${name}" now`];
}

/** Words that people use for the same thing when they look for a tool. The groups are data. */
import { analyze } from '../../../domain/workspace/search/analyze.ts';
import given from './synonyms.json' with { type: 'json' };

const byWord = new Map<string, Set<string>>();
for (const line of given.groups) {
  const group = [...new Set(analyze(line))];
  for (const word of group)
    byWord.set(word, new Set([...(byWord.get(word) ?? []), ...group]).difference(new Set([word])));
}

const NONE: ReadonlySet<string> = new Set();

export const synonymsOf = (token: string): ReadonlySet<string> => byWord.get(token) ?? NONE;

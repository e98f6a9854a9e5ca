/** Joins what is found by words with what is found by meaning, by rank alone: words lead, meaning adds and confirms. */
import type { Tool } from '../../../catalogue/tool-definition.ts';
import { findByWords } from './find-tools.ts';
import type { NearestTools } from './nearest-tools.ts';

const RANK_OFFSET = 10;
const MEANING_WEIGHT = 0.7;

export interface FoundTools {
  readonly tools: readonly Tool[];
  readonly by: 'words' | 'words and meaning';
}

export async function searchTools(
  nearest: NearestTools | undefined,
  tools: readonly Tool[],
  question: string,
): Promise<FoundTools> {
  const byWords = findByWords(tools, question);
  const byMeaning = await nearest?.find(tools, question);
  if (!byMeaning) return { tools: byWords, by: 'words' };
  const scores = new Map<Tool, number>();
  const count = (found: readonly Tool[], weight: number): void => {
    for (const [at, tool] of found.entries())
      scores.set(tool, (scores.get(tool) ?? 0) + weight / (RANK_OFFSET + at + 1));
  };
  count(byWords, 1);
  count(byMeaning, MEANING_WEIGHT);
  const ranked = [...scores].sort(([a, x], [b, y]) => y - x || (a.name < b.name ? -1 : 1));
  return { tools: ranked.map(([tool]) => tool), by: 'words and meaning' };
}

/** How much of a text fits a budget of tokens, by an estimate that errs on the safe side for every script. */
export const DEFAULT_MAX_TOKENS = 4_000;
export const LARGEST_MAX_TOKENS = 100_000;

/** About four Latin characters a token; other scripts cost about one each. */
export function estimateTokens(text: string): number {
  let wide = 0;
  for (let i = 0; i < text.length; i += 1) if (text.charCodeAt(i) > 0x24f) wide += 1;
  return Math.ceil((text.length - wide) / 4 + wide);
}

/**
 * Where to cut: the last of the given edges that fits. If not even the first does, the last line break that
 * fits, or in one enormous line a place between two characters.
 */
export function cutAt(text: string, start: number, edges: readonly number[], maxTokens: number): number {
  let [end, used] = [start, 0];
  for (const edge of edges) {
    if (edge <= start) continue;
    used += estimateTokens(text.slice(end, edge));
    if (used > maxTokens) break;
    end = edge;
  }
  return end > start
    ? end
    : cutInside(text, start, edges.find((edge) => edge > start) ?? text.length, maxTokens);
}

function cutInside(text: string, start: number, limit: number, maxTokens: number): number {
  let end = Math.min(limit, start + maxTokens * 4);
  while (end > start + 1 && estimateTokens(text.slice(start, end)) > maxTokens)
    end = start + Math.ceil((end - start) / 2);
  const line = text.lastIndexOf('\n', end - 1);
  if (line > start && end < limit) return line + 1;
  const splitsPair = /[\uD800-\uDBFF]/.test(text[end - 1] ?? '');
  return splitsPair && end < limit ? end + 1 : end;
}

/** Puts as much as fits into a budget of tokens, measured on what is really sent. */
import { cutAt, estimateTokens } from '../workspace/token-budget.ts';

export const costOf = (value: unknown): number => estimateTokens(JSON.stringify(value)) + 1;

export interface Fitted<T> {
  readonly shown: readonly T[];
  readonly cost: number;
}

/**
 * In order until the first that does not fit. `shorten` makes a smaller one of the first when not even that one fits,
 * so that a small budget still gets something and whoever goes on gets further.
 */
export function fitBudget<T>(
  items: readonly T[],
  budget: number,
  shorten: (item: T, budget: number) => T | undefined,
): Fitted<T> {
  const shown: T[] = [];
  let cost = 0;
  for (const item of items) {
    const own = costOf(item);
    if (cost + own > budget) break;
    shown.push(item);
    cost += own;
  }
  const [first] = items;
  if (shown.length > 0 || first === undefined) return { shown, cost };
  const short = shorten(first, budget);
  return short === undefined ? { shown, cost } : { shown: [short], cost: costOf(short) };
}

/** The beginning of a text that costs at most so much when it is sent. */
export function shortenText(text: string, budget: number): string {
  let end = cutAt(text, 0, [text.length], Math.max(budget, 1));
  while (end > 0 && costOf(text.slice(0, end)) > budget) end = Math.floor(end / 2);
  const cut = text.slice(0, end);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}

/** Whether a value is nested deeper than this; looked at without going down by itself. */
export function isTooDeep(value: unknown, levels: number): boolean {
  const stack: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 1 }];
  for (let item = stack.pop(); item; item = stack.pop()) {
    if (typeof item.value !== 'object' || item.value === null) continue;
    if (item.depth > levels) return true;
    for (const inner of Object.values(item.value)) stack.push({ value: inner, depth: item.depth + 1 });
  }
  return false;
}

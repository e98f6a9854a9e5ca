/** Finds import cycles: one for every edge that closes a walk, each told as the files it passes through. */

export function findCycles(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  const trail: string[] = [];

  const visit = (file: string): void => {
    const entered = trail.indexOf(file);
    if (entered >= 0) cycles.push([...trail.slice(entered), file]);
    if (entered >= 0 || done.has(file)) return;
    trail.push(file);
    for (const next of edges.get(file) ?? []) visit(next);
    trail.pop();
    done.add(file);
  };
  for (const file of edges.keys()) visit(file);
  return cycles;
}

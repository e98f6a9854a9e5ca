/** Databases bound how many parameters a statement has; long lists go in pieces. */
const PIECE = 500;

export async function inPieces<Item, Row>(
  items: readonly Item[],
  query: (piece: readonly Item[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let i = 0; i < items.length; i += PIECE) rows.push(...(await query(items.slice(i, i + PIECE))));
  return rows;
}

import { type RawBuilder, sql } from 'kysely';

/** Databases bound how many parameters a statement has; long lists go in pieces. */
const PIECE = 500;

export async function inPieces<Item, Row>(
  items: readonly Item[],
  query: (piece: readonly Item[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const rows: (readonly Row[])[] = [];
  for (let i = 0; i < items.length; i += PIECE) rows.push(await query(items.slice(i, i + PIECE)));
  return rows.flat();
}

/** Rows found by their ids are checked here: asked for both, SQLite reads every row of the workspace. */
export const ofWorkspace = <Row extends { readonly workspace_id: string }>(
  rows: readonly Row[],
  workspace: string,
): readonly Row[] => rows.filter((row) => row.workspace_id === workspace);

/** Rows as a table to join with: both databases call its columns column1, column2 and so on, and take them for text. */
export const valuesOf = (rows: readonly (readonly unknown[])[]): RawBuilder<unknown> =>
  sql`(values ${sql.join(rows.map((row) => sql`(${sql.join(row)})`))})`;

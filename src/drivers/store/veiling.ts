/** Where the two databases differ in how a statement is given something to look through. */
import type { Dialect } from 'kysely';

export interface Veiling {
  readonly dialect: Dialect;
  /** The table itself, whatever a statement calls by its name. */
  table(name: string): string;
  /** Whether JSON has a text among its strings, taken as it is: nothing in it stands for anything else. */
  says(json: string, text: string): string;
  /** Rows of `value`, from the nth list of ids that comes with a statement of so many parameters. */
  ids(nth: number, parameters: number): string;
  /** The parameters of a statement together with the lists. */
  join(parameters: readonly unknown[], lists: readonly string[]): readonly unknown[];
}

/** Its parameters are counted as they are written, and what looks through comes first. */
export const sqliteVeiling = (dialect: Dialect): Veiling => ({
  dialect,
  table: (name) => `main.${name}`,
  says: (json, text) => `instr(${json}, json_quote(${text})) > 0`,
  ids: () => 'json_each(?)',
  join: (parameters, lists) => [...lists, ...parameters],
});

export const postgresVeiling = (dialect: Dialect, schema: () => string): Veiling => ({
  dialect,
  table: (name) => `"${schema().replaceAll('"', '""')}".${name}`,
  says: (json, text) => `strpos(${json}, to_json(${text})::text) > 0`,
  ids: (nth, parameters) => `json_array_elements_text($${parameters + nth + 1}::json)`,
  join: (parameters, lists) => [...parameters, ...lists],
});

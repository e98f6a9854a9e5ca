/** Where the two databases differ in how a statement is given something to look through. */
import type { Dialect } from 'kysely';

export interface Veiling {
  readonly dialect: Dialect;
  /** The table itself, whatever a statement calls by its name. */
  table(name: string): string;
  /** Whether the event's details name this file. */
  names(details: string, path: string): string;
  /** The `value`s of a list, as `entry`. */
  entries(list: string): string;
  /** What an object says under this name; empty without it. */
  detail(object: string, name: string): string;
  /** Rows of `value`, from the nth list of ids that comes with a statement of so many parameters. */
  ids(nth: number, parameters: number): string;
  /** The parameters of a statement together with the lists. */
  join(parameters: readonly unknown[], lists: readonly string[]): readonly unknown[];
}

/** Its parameters are counted as they are written, and what looks through comes first. */
export const sqliteVeiling = (dialect: Dialect): Veiling => ({
  dialect,
  table: (name) => `main.${name}`,
  names: (details, path) =>
    `exists (select 1 from json_each(${details}, '$.files') named where named.value = ${path})`,
  entries: (list) => `json_each(${list}) entry`,
  detail: (object, name) => `coalesce(json_extract(${object}, '$.${name}'), '')`,
  ids: () => 'json_each(?)',
  join: (parameters, lists) => [...lists, ...parameters],
});

export const postgresVeiling = (dialect: Dialect, schema: () => string): Veiling => ({
  dialect,
  table: (name) => `"${schema().replaceAll('"', '""')}".${name}`,
  names: (details, path) =>
    `exists (select 1 from json_array_elements_text(${details}::json -> 'files') named (path) where named.path = ${path})`,
  entries: (list) => `json_array_elements(${list}::json) entry (value)`,
  detail: (object, name) => `coalesce(${object}::json ->> '${name}', '')`,
  ids: (nth, parameters) => `json_array_elements_text($${parameters + nth + 1}::json)`,
  join: (parameters, lists) => [...parameters, ...lists],
});

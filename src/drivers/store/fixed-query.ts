/** Queries whose text never changes: built and compiled once, then only given their values. */
import type { Compilable, Kysely } from 'kysely';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import type { Database } from './schema.ts';
import { connectionOf } from './scopes.ts';

/** Stands for a value while the query is built; afterwards its place is known. */
class Place {
  readonly index: number;
  constructor(index: number) {
    this.index = index;
  }
}

interface Fixed {
  readonly text: string;
  /** For each parameter of the text a constant, or which value goes there. */
  readonly parameters: readonly unknown[];
}

/**
 * `build` is given stand-ins for the values and may only pass them on as parameters. Building a query costs several
 * times what running it does, so what every call asks is asked like this.
 */
export function fixedQuery<Values extends readonly unknown[], Row>(
  build: (db: Kysely<Database>, ...values: Values) => Compilable<Row>,
): (scope: ReadScope, ...values: Values) => Promise<readonly Row[]> {
  const known = new WeakMap<object, Fixed>();
  return (scope, ...values) => {
    const connection = connectionOf(scope);
    let fixed = known.get(connection.veiling);
    if (!fixed) {
      const places = values.map((_, index) => new Place(index));
      const { sql, parameters } = build(connection.db, ...(places as unknown as Values)).compile();
      fixed = { text: sql, parameters };
      known.set(connection.veiling, fixed);
    }
    const given = fixed.parameters.map((one) => (one instanceof Place ? values[one.index] : one));
    return connection.rows(fixed.text, given) as Promise<readonly Row[]>;
  };
}

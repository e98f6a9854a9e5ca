/** Properties as a caller asks for them in an object: a value, or what is to hold of it. */
import { invalidInput } from '../../../kernel/errors.ts';
import { type Comparison, comparison, type PropertyCondition } from './property-condition.ts';

type Scalar = string | number | boolean;

export interface PropertyWish {
  readonly exists?: boolean | undefined;
  readonly contains?: string | undefined;
  readonly gt?: string | number | undefined;
  readonly gte?: string | number | undefined;
  readonly lt?: string | number | undefined;
  readonly lte?: string | number | undefined;
}

export type PropertyWishes = Readonly<Record<string, Scalar | PropertyWish>>;

const SIGNS: readonly (readonly ['gt' | 'gte' | 'lt' | 'lte', Comparison])[] = [
  ['gt', '>'],
  ['gte', '>='],
  ['lt', '<'],
  ['lte', '<='],
];

export const conditionsOf = (wishes: PropertyWishes): readonly PropertyCondition[] =>
  Object.entries(wishes).flatMap(([key, wish]) =>
    typeof wish === 'object' ? conditionsOn(key, wish) : [{ key, is: 'equal', value: String(wish) } as const],
  );

function conditionsOn(key: string, wish: PropertyWish): readonly PropertyCondition[] {
  const conditions: PropertyCondition[] = [];
  if (wish.exists !== undefined) conditions.push({ key, is: wish.exists ? 'there' : 'missing' });
  if (wish.contains !== undefined) conditions.push({ key, is: 'containing', value: wish.contains });
  for (const [name, sign] of SIGNS) {
    const bound = wish[name];
    if (bound === undefined) continue;
    const condition = comparison(key, sign, String(bound));
    if (!condition)
      throw invalidInput(`filters.properties.${key}.${name}`, 'must be a number, a date or a time');
    conditions.push(condition);
  }
  if (conditions.length > 0) return conditions;
  throw invalidInput(`filters.properties.${key}`, 'must be a value, or say what is to hold of it');
}

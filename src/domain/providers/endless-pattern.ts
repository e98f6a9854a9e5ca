/**
 * Patterns that a backtracking engine can be made to run for ever on: something repeated inside of something repeated,
 * where it is not clear which of the two goes on. Whoever checks values against such a schema hangs; we never do.
 */
interface Item {
  readonly atom: Atom;
  readonly optional: boolean;
  readonly repeated: boolean;
}
/** One character, or alternatives in brackets. */
type Atom = { readonly set: RegExp } | { readonly alternatives: readonly Sequence[] };
type Sequence = readonly Item[];

const MAX_LENGTH = 2_000;
const MAX_NESTING = 30;
/** From here on a limit is as good as none. */
const MANY = 25;

export function isEndless(pattern: string): boolean {
  if (pattern.length > MAX_LENGTH) return true;
  try {
    return new Reader(pattern).alternatives(0).some(hasEndless);
  } catch (error) {
    // What is no pattern never runs.
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

const hasEndless = (sequence: Sequence): boolean =>
  sequence.some(({ atom, repeated }) => {
    if (!('alternatives' in atom)) return false;
    return (repeated && isAmbiguous(atom.alternatives)) || atom.alternatives.some(hasEndless);
  });

/** Whether one more round of the whole could as well be one more of something in it. */
function isAmbiguous(alternatives: readonly Sequence[]): boolean {
  const beginnings = alternatives.flatMap(firsts);
  const inside = alternatives.some((sequence) =>
    sequence.some(({ atom, repeated }, at) => {
      if (!repeated) return false;
      const rest = sequence.slice(at + 1);
      const next = [...firsts(rest), ...(rest.every(({ optional }) => optional) ? beginnings : [])];
      return overlap(setsOf(atom), next);
    }),
  );
  const single = alternatives.filter(([item, more]) => item !== undefined && more === undefined);
  const same = single.some((one, at) =>
    single.slice(at + 1).some((other) => overlap(firsts(one), firsts(other))),
  );
  return inside || same;
}

/** What a sequence may begin with. */
function firsts(sequence: Sequence): readonly RegExp[] {
  const found: RegExp[] = [];
  for (const { atom, optional } of sequence) {
    found.push(...setsOf(atom));
    if (!optional) break;
  }
  return found;
}

const setsOf = (atom: Atom): readonly RegExp[] =>
  'set' in atom ? [atom.set] : atom.alternatives.flatMap(firsts);

const SAMPLE = [...Array.from({ length: 95 }, (_, n) => String.fromCharCode(32 + n)), '\n', 'é', '中'];

const overlap = (some: readonly RegExp[], others: readonly RegExp[]): boolean =>
  SAMPLE.some((sign) => some.some((set) => set.test(sign)) && others.some((set) => set.test(sign)));

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  alternatives(depth: number): readonly Sequence[] {
    if (depth > MAX_NESTING) throw new SyntaxError('Too deep');
    const found: Item[][] = [[]];
    while (this.#at < this.#text.length && this.#text[this.#at] !== ')') {
      if (this.#take(/\|/y) !== undefined) found.push([]);
      else if (this.#take(/\^|\$|\\[bB]/y) === undefined) found.at(-1)?.push(this.#item(depth));
    }
    return found;
  }

  #item(depth: number): Item {
    const atom = this.#atom(depth);
    const count = this.#take(/[*+?]\??|\{\d+(?:,\d*)?\}\??/y) ?? '';
    const [, least = '1', most] = /^\{(\d+)(?:,(\d*))?\}/.exec(count) ?? [];
    const many = most === '' || Number(most ?? least) >= MANY;
    return {
      atom,
      optional: /^[*?]/.test(count) || least === '0',
      repeated: /^[*+]/.test(count) || (count.startsWith('{') && many),
    };
  }

  #atom(depth: number): Atom {
    if (this.#take(/\((?:\?(?::|=|!|<=|<!|<[A-Za-z]\w*>))?/y) !== undefined) {
      const alternatives = this.alternatives(depth + 1);
      if (this.#take(/\)/y) === undefined) throw new SyntaxError('A group without an end');
      return { alternatives };
    }
    const source = this.#take(/\[(?:\\.|[^\]\\])*\]|\\[pPux]\{[^}]*\}|\\u[0-9a-fA-F]{4}|\\.|[^)]/sy);
    if (source === undefined) throw new SyntaxError('Nothing there');
    return {
      set: new RegExp(`^${source === '{' ? '\\{' : source}$`, /\\[pP]\{|\\u\{/.test(source) ? 'su' : ''),
    };
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }
}

/** As much of TOML as configurations of servers need: tables, strings, numbers, lists, inline tables. The rest is an error. */
type Table = { [key: string]: unknown };

export function readToml(text: string): Table {
  const root: Table = Object.create(null);
  let table: Table | undefined = root;
  const reader = new Reader(text);
  for (reader.skip(); !reader.done; reader.skip()) {
    if (reader.take('[')) {
      // Lists of tables hold no servers; what is in them is read and left.
      const many = reader.take('[');
      const path = reader.key();
      reader.want(many ? ']]' : ']');
      table = many ? {} : within(root, path);
    } else {
      const path = reader.key();
      reader.want('=');
      const last = path.pop() ?? '';
      within(table, path)[last] = reader.value();
    }
    reader.endOfLine();
  }
  return root;
}

function within(root: Table, path: readonly string[]): Table {
  let table = root;
  for (const key of path) {
    if (!Object.hasOwn(table, key)) table[key] = Object.create(null);
    const inner = table[key];
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner))
      throw new SyntaxError(`"${key}" is a value and a table`);
    table = inner as Table;
  }
  return table;
}

class Reader {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get done(): boolean {
    return this.#at >= this.#text.length;
  }

  take(piece: string): boolean {
    if (!this.#text.startsWith(piece, this.#at)) return false;
    this.#at += piece.length;
    return true;
  }

  want(piece: string): void {
    this.#blank();
    if (!this.take(piece)) throw this.#wrong(`"${piece}" is missing`);
    this.#blank();
  }

  /** Blank lines and comments. */
  skip(): void {
    this.#match(/(?:[ \t\r\n]|#[^\n]*)*/y);
  }

  endOfLine(): void {
    this.#blank();
    this.#match(/#[^\n]*/y);
    if (!this.done && !this.take('\r\n') && !this.take('\n'))
      throw this.#wrong('a line goes on after its value');
  }

  key(): string[] {
    const path: string[] = [];
    do {
      this.#blank();
      const next = this.#text[this.#at];
      const part = next === '"' || next === "'" ? this.#string() : this.#match(/[A-Za-z0-9_-]+/y);
      if (part === '') throw this.#wrong('a key is missing');
      path.push(part);
      this.#blank();
    } while (this.take('.'));
    return path;
  }

  value(): unknown {
    const next = this.#text[this.#at];
    if (next === '"' || next === "'") return this.#string();
    if (next === '[' || next === '{') return this.#nested(next);
    const word = this.#match(/[^\s,\]}#]+/y);
    if (word === 'true' || word === 'false') return word === 'true';
    if (/^[+-]?[0-9][0-9_.:TZeE+-]*$/.test(word)) return Number(word.replaceAll('_', ''));
    throw this.#wrong(`"${word}" is no value`);
  }

  #nested(open: string): unknown {
    this.#depth += 1;
    if (this.#depth > 32) throw this.#wrong('values are nested too deep');
    this.#at += 1;
    const value = open === '[' ? this.#list() : this.#inline();
    this.#depth -= 1;
    return value;
  }

  #list(): unknown[] {
    const items: unknown[] = [];
    for (this.skip(); !this.take(']'); this.skip()) {
      if (this.done) throw this.#wrong('a list has no end');
      items.push(this.value());
      this.skip();
      if (!this.take(',') && this.#text[this.#at] !== ']') throw this.#wrong('"," is missing in a list');
    }
    return items;
  }

  #inline(): Table {
    const table: Table = Object.create(null);
    for (this.#blank(); !this.take('}'); this.#blank()) {
      const path = this.key();
      this.want('=');
      const last = path.pop() ?? '';
      within(table, path)[last] = this.value();
      this.#blank();
      if (!this.take(',') && this.#text[this.#at] !== '}') throw this.#wrong('"," is missing in a table');
    }
    return table;
  }

  #string(): string {
    for (const quote of ["'''", '"""']) {
      if (!this.take(quote)) continue;
      this.take('\n');
      const end = this.#text.indexOf(quote, this.#at);
      if (end < 0) throw this.#wrong('a text has no end');
      const text = this.#text.slice(this.#at, end);
      this.#at = end + 3;
      return quote === "'''" ? text : unescaped(text);
    }
    const literal = this.#match(/'[^'\n]*'/y);
    if (literal !== '') return literal.slice(1, -1);
    const basic = this.#match(/"(?:[^"\\\n]|\\.)*"/y);
    if (basic === '') throw this.#wrong('a text has no end');
    return unescaped(basic.slice(1, -1));
  }

  #blank(): void {
    this.#match(/[ \t]*/y);
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [found = ''] = pattern.exec(this.#text) ?? [];
    this.#at += found.length;
    return found;
  }

  #wrong(problem: string): SyntaxError {
    const line = this.#text.slice(0, this.#at).split('\n').length;
    return new SyntaxError(`line ${line}: ${problem}`);
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  t: '\t',
  n: '\n',
  f: '\f',
  r: '\r',
  e: '\x1b',
};

const unescaped = (text: string): string =>
  text.replaceAll(/\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([\s\S]))/g, (_, four, eight, letter) => {
    const code = four ?? eight;
    if (code === undefined) return ESCAPES[letter] ?? letter;
    const point = Number.parseInt(code, 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : '\uFFFD';
  });

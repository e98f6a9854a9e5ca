/** Where the two databases differ in what tables are made of; nothing else asks which one it is. */
export interface Dialect {
  /** An integer key that the database hands out and never reuses. */
  readonly numberColumn: string;
  readonly bytes: string;
  /** Text that compares byte by byte, so that both order alike. */
  readonly text: string;
  readonly bigint: string;
  /** A number with a fraction. */
  readonly double: string;
  /** Appended to `create table`. */
  readonly tableSuffix: string;
  /** An index for looking names up that may be of any length; they are only ever compared for equality. */
  nameIndex(name: string, table: string, column: string): string;
  /** Statements that make the search index. */
  readonly searchTables: readonly string[];
  /** Statements that make what it takes to rank when not all pages count. */
  readonly permissionTables: readonly string[];
  /** Statements that make its tokens known. */
  readonly tokenTables: readonly string[];
}

export const sqliteDialect: Dialect = {
  numberColumn: 'integer primary key autoincrement',
  bytes: 'blob',
  text: 'text',
  bigint: 'integer',
  double: 'real',
  tableSuffix: ' strict',
  nameIndex: (name, table, column) => `create index ${name} on ${table} (workspace_id, ${column})`,
  searchTables: [
    // Not contentless: such a table never takes back what it counted, so that every edit would shift every score.
    `create virtual table page_search using fts5(title, headings, body, tokenize='ascii')`,
  ],
  permissionTables: [
    'create table page_length (page_number integer primary key, length integer not null) strict',
    `insert into page_length select rowid, ${['title', 'headings', 'body']
      .map((column) => `length(${column}) - length(replace(${column}, ' ', '')) + (${column} <> '')`)
      .join(' + ')} from page_search`,
    `create virtual table page_vocabulary using fts5vocab('page_search', 'instance')`,
  ],
  tokenTables: [`create virtual table page_search_token using fts5vocab('page_search', 'row')`],
};

export const postgresDialect: Dialect = {
  numberColumn: 'bigint generated always as identity primary key',
  bytes: 'bytea',
  text: 'text collate "C"',
  bigint: 'bigint',
  double: 'double precision',
  tableSuffix: '',
  // Ordered indexes take no more than 2,700 bytes.
  nameIndex: (name, table, column) => `create index ${name} on ${table} using hash (${column})`,
  searchTables: [
    `create table page_term (
      term text collate "C" not null,
      page_number bigint not null,
      title integer not null,
      headings integer not null,
      body integer not null,
      primary key (term, page_number))`,
    'create index page_term_page on page_term (page_number)',
    'create table page_length (page_number bigint primary key, length integer not null)',
    // One row a workspace, so that units of different workspaces do not wait for each other.
    'create table search_total (workspace_id text primary key, pages bigint not null, tokens bigint not null)',
  ],
  permissionTables: [],
  tokenTables: [],
};

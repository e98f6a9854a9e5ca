/** Tools of real servers beside our own, and questions with the tools that answer them: what a search has to find. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { clientGrant } from '../../src/app/local-grants.ts';
import { Reply } from '../../src/catalogue/content.ts';
import type { Family } from '../../src/catalogue/family.ts';
import { jsonSchema } from '../../src/catalogue/json-schema.ts';
import { completeRegistration } from '../../src/catalogue/registration.ts';
import type { Tool } from '../../src/catalogue/tool-definition.ts';
import { openWholeApp, owner, type WholeApp } from './whole-app.ts';

const CORPUS = join(import.meta.dirname, '../corpus/tools-search');

export interface GoldenQuery {
  readonly query: string;
  /** Any of them will do; none = nothing there does that. */
  readonly want: readonly string[];
}

interface GivenTool {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly string[];
}

const read = <T>(name: string): T => JSON.parse(readFileSync(join(CORPUS, name), 'utf8')) as T;

export const goldenQueries = (): readonly GoldenQuery[] =>
  read<{ queries: readonly GoldenQuery[] }>('queries.json').queries;

function goldenFamily(): Family {
  const { servers } = read<{ servers: Readonly<Record<string, readonly GivenTool[]>> }>('servers.json');
  const tools = Object.entries(servers).flatMap(([server, given]) =>
    given.map((tool) => toTool(server, tool)),
  );
  return { name: 'providers', tools, resources: [], prompts: [] };
}

const toTool = (server: string, { name, description, arguments: given }: GivenTool): Tool => ({
  ...completeRegistration({
    name: `${server}.${name}`,
    title: name,
    summary: description,
    scopes: ['providers.call'],
    effect: 'read_only',
    needsWorkspace: false,
    server,
  }),
  kind: 'tool',
  family: 'providers',
  mode: 'read',
  input: jsonSchema({ type: 'object', properties: Object.fromEntries(given.map((one) => [one, {}])) }),
  destructive: false,
  idempotent: false,
  example: {},
  handler: async () => new Reply([]),
});

export interface ToolSearcher {
  /** Names in the order they are found, and by what. */
  find(query: string): Promise<{ readonly names: readonly string[]; readonly by: string }>;
  readonly searched: number;
  close(): Promise<void>;
}

/** The real search, asked by a client whose list is too short. */
export async function openToolSearch(
  home: string,
  config: Parameters<typeof openWholeApp>[1],
): Promise<ToolSearcher> {
  const whole: WholeApp = await openWholeApp(home, config, undefined, [goldenFamily()]);
  await whole.call(owner, 'client.add', { name: 'finder', cap: 5 });
  const grant = clientGrant(whole.app.governance(), 'finder', whole.app.clock.now(), 'in-process');
  const ask = (query: string) => whole.call(grant, 'tools_search', { query, limit: 10 });
  return {
    searched: Number((await ask('any')).searched),
    async find(query) {
      const { matches, by } = await ask(query);
      return { names: (matches as { name: string }[]).map(({ name }) => name), by: String(by) };
    },
    close: () => whole.app.close(),
  };
}

export interface Recall {
  readonly at1: number;
  readonly at5: number;
  /** Questions that nothing answers, and that are told so. */
  readonly refused: number;
  readonly missed: readonly string[];
}

export async function measureRecall(
  searcher: ToolSearcher,
  queries: readonly GoldenQuery[],
): Promise<Recall> {
  let [first, five, refused, asked] = [0, 0, 0, 0];
  const missed: string[] = [];
  for (const { query, want } of queries) {
    const { names } = await searcher.find(query);
    if (want.length === 0) {
      refused += names.length === 0 ? 1 : 0;
      if (names.length > 0) missed.push(`${query} → ${names.slice(0, 3).join(', ')} instead of nothing`);
      continue;
    }
    asked += 1;
    if (want.includes(names[0] ?? '')) first += 1;
    if (names.slice(0, 5).some((name) => want.includes(name))) five += 1;
    else missed.push(`${query} → ${names.slice(0, 3).join(', ')}`);
  }
  return { at1: first / asked, at5: five / asked, refused: refused / (queries.length - asked), missed };
}

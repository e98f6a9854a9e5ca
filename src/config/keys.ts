/** Every configuration key as data: what it means, what it is without being set, and where it may come from. */
import { z } from 'zod';

export interface ConfigKey<T = unknown> {
  readonly meaning: string;
  readonly shape: z.ZodType<T>;
  readonly fallback: T;
  /** The environment variable that sets it. */
  readonly env?: string;
  /** Shown as *** because it may hold a password. */
  readonly secret?: boolean;
}

const key = <T>(declared: ConfigKey<T>): ConfigKey<T> => declared;
const atLeastOne = z.int().min(1);

export const CONFIG_KEYS = {
  'store.kind': key<'sqlite' | 'postgres'>({
    meaning: 'Where data is kept: sqlite needs nothing, postgres is shared by several gateways.',
    shape: z.enum(['sqlite', 'postgres']),
    fallback: 'sqlite',
    env: 'SLUICE_STORE',
  }),
  'store.url': key<string | null>({
    meaning:
      'The PostgreSQL database, postgres://user@host/database. A password belongs into the config file or a PGPASSFILE.',
    shape: z.string().nullable(),
    fallback: null,
    env: 'SLUICE_STORE_URL',
    secret: true,
  }),
  'server.host': key<string>({
    meaning: 'The address to listen on. Anything but a loopback address shows the server to the network.',
    shape: z.string().min(1),
    fallback: '127.0.0.1',
    env: 'SLUICE_HOST',
  }),
  'server.port': key<number | null>({
    meaning: 'The port to listen on, 1024 to 65535; without it the setting mcp_port (7862) decides.',
    shape: z.int().nullable(),
    fallback: null,
    env: 'SLUICE_PORT',
  }),
  'server.allowed_hosts': key<readonly string[]>({
    meaning: 'Further names that a Host or Origin header may carry besides localhost, 127.0.0.1 and [::1].',
    shape: z.array(z.string()),
    fallback: [],
  }),
  'server.max_connections': key<number>({
    meaning: 'Connections held open at once; more are refused.',
    shape: atLeastOne,
    fallback: 4_096,
  }),
  'server.shutdown_grace_ms': key<number>({
    meaning: 'How long calls under way may take to finish when Sluice stops.',
    shape: z.int().min(0),
    fallback: 10_000,
  }),
  'search.embedder': key<'builtin' | 'endpoint' | 'none'>({
    meaning:
      'What search by meaning uses: the model that ships with Sluice, one at "search.endpoint_url", or nothing.',
    shape: z.enum(['builtin', 'endpoint', 'none']),
    fallback: 'builtin',
    env: 'SLUICE_EMBEDDER',
  }),
  'search.endpoint_url': key<string | null>({
    meaning:
      'Where "endpoint" sends the text of pages, memories and queries: an address that answers /embeddings as OpenAI does, https:// or on this machine.',
    shape: z.string().nullable(),
    fallback: null,
  }),
  'search.endpoint_model': key<string | null>({
    meaning: 'The model that "endpoint" asks for.',
    shape: z.string().min(1).max(200).nullable(),
    fallback: null,
  }),
  'search.endpoint_key_file': key<string | null>({
    meaning: 'The file that holds the key for "endpoint", if it wants one.',
    shape: z.string().min(1).nullable(),
    fallback: null,
  }),
  'log.level': key<'debug' | 'info' | 'warn' | 'error'>({
    meaning: 'What the log on standard error shows.',
    shape: z.enum(['debug', 'info', 'warn', 'error']),
    fallback: 'info',
    env: 'SLUICE_LOG',
  }),
  'limits.calls_per_second': key<number>({
    meaning: 'Sustained calls a second for one principal.',
    shape: z.number().positive(),
    fallback: 1_000,
  }),
  'limits.call_burst': key<number>({
    meaning: 'Calls one principal may make at once after a pause.',
    shape: atLeastOne,
    fallback: 2_000,
  }),
  'limits.concurrent_per_principal': key<number>({
    meaning: 'Calls of one principal under way at a time.',
    shape: atLeastOne,
    fallback: 128,
  }),
  'limits.concurrent_in_all': key<number>({
    meaning: 'Calls under way at a time in all.',
    shape: atLeastOne,
    fallback: 1_024,
  }),
  'limits.list_page': key<number>({
    meaning: 'Entries on one page of a list of tools, prompts or resources.',
    shape: atLeastOne,
    fallback: 100,
  }),
  'proposals.expire_after_days': key<number>({
    meaning: 'How many days a proposal waits for somebody to accept or reject it. New pages wait for ever.',
    shape: atLeastOne.max(36_500),
    fallback: 30,
  }),
} as const;

export type ConfigName = keyof typeof CONFIG_KEYS;

export type Config = {
  readonly [Name in ConfigName]: (typeof CONFIG_KEYS)[Name] extends ConfigKey<infer T> ? T : never;
};

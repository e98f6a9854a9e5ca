/** Memory through the pipeline for tests: short words for the calls, and a clock that they set. */
import { afterAll, beforeAll } from 'vitest';
import { createSluice, type Sluice, type SluiceClient } from '../../src/app/create-sluice.ts';
import type { StoreUnderTest } from './each-store.ts';
import { temporaryFolder } from './temporary-folder.ts';

const HOUR_MS = 60 * 60 * 1000;
export const DAY_MS = 24 * HOUR_MS;

export interface FoundItem {
  readonly id: string;
  readonly tier: string;
  readonly body?: string;
  readonly subject?: string;
  readonly name?: string;
  readonly status: string;
  readonly origin: string;
  readonly stale?: boolean;
  readonly unsupported?: boolean;
}

export interface WrittenItem {
  readonly id: string;
  readonly outcome: string;
  readonly status: string;
  readonly lifecycle: string;
  readonly origin: string;
  readonly version: string;
  readonly superseded: readonly string[];
  readonly evicted: readonly string[];
}

export interface Found {
  readonly items: readonly FoundItem[];
  readonly hidden: { readonly superseded: number; readonly candidates: number };
  readonly next_cursor?: string;
}

export function memoryOn(store: StoreUnderTest) {
  let at = Date.UTC(2026, 0, 1);
  let sluice: Sluice;
  beforeAll(async () => {
    if (!store.available()) return;
    const clock = { now: () => at };
    sluice = await createSluice({ home: temporaryFolder(), config: store.config(), clock });
  });
  afterAll(() => sluice?.close());
  const owner = (): SluiceClient => sluice;
  return {
    owner,
    now: () => at,
    pass: (ms: number): void => {
      at += ms;
    },
    agent: (name: string, more: { readonly run?: string; readonly thread?: string } = {}): SluiceClient =>
      sluice.as({ name, role: 'agent', kind: 'agent', ...more }),
    client: (name: string, more: object = {}): SluiceClient =>
      sluice.as({ name, role: 'client', kind: 'client', ...more }),
    async write(input: Readonly<Record<string, unknown>>, by = owner()): Promise<WrittenItem> {
      at += 1;
      return (await by.call('memory_write', input)) as unknown as WrittenItem;
    },
    async search(input: Readonly<Record<string, unknown>>, by = owner()): Promise<Found> {
      return (await by.call('memory_search', { budget: 50_000, ...input })) as unknown as Found;
    },
    async bodies(
      input: Readonly<Record<string, unknown>>,
      by = owner(),
    ): Promise<readonly (string | undefined)[]> {
      const { items } = await this.search(input, by);
      return items.map(({ body }) => body);
    },
    read: (id: string, by = owner()) => by.call('memory_read', { id }),
  };
}

export const fact = (subject: string, body: string, more: object = {}) => ({
  tier: 'semantic',
  subject,
  body,
  ...more,
});

export const episode = (body: string, more: object = {}) => ({ tier: 'episodic', body, ...more });

export const procedure = (name: string, body: string, more: object = {}) => ({
  tier: 'procedural',
  name,
  description: `When to ${name}`,
  body,
  ...more,
});

import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { createEventStore } from './event-store.ts';

const message = (method: string): JSONRPCMessage => ({ jsonrpc: '2.0', method });

async function replayed(store: ReturnType<typeof createEventStore>, id: string): Promise<unknown[]> {
  const sent: unknown[] = [];
  await store.replayEventsAfter(id, {
    send: async (_id, event) => void sent.push((event as { method: string }).method),
  });
  return sent;
}

describe('[PROTO-12] the events of a session', () => {
  it('come again for their own stream alone, in order, without what came before', async () => {
    const store = createEventStore();
    await store.storeEvent('a', message('a0'));
    const seen = await store.storeEvent('a', message('a1'));
    await store.storeEvent('b', message('b1'));
    await store.storeEvent('a', message('a2'));
    await store.storeEvent('a', message('a3'));
    expect(await replayed(store, seen)).toEqual(['a2', 'a3']);
  });

  it('are kept up to a number, the newest of them', async () => {
    const store = createEventStore();
    const first = await store.storeEvent('a', message('first'));
    const ids: string[] = [];
    for (let i = 0; i < 256; i += 1) ids.push(await store.storeEvent('a', message(`${i}`)));
    await expect(replayed(store, first)).rejects.toThrow('not kept any more');
    expect(await replayed(store, ids[0] ?? '')).toHaveLength(255);
  });

  it('are kept up to a size', async () => {
    const store = createEventStore();
    const first = await store.storeEvent('a', message('first'));
    for (let i = 0; i < 5; i += 1) await store.storeEvent('a', message('x'.repeat(1024 * 1024)));
    await expect(replayed(store, first)).rejects.toThrow('not kept any more');
  });
});

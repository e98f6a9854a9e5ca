/** Search by meaning with a model at an address, through the whole pipeline, on both stores. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { onEachStore } from '../support/each-store.ts';
import { type EmbeddingServer, startEmbeddingServer } from '../support/embedding-endpoint.ts';
import { fact } from '../support/memory.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type Answer, openIndexingApp, owner, type WholeApp } from '../support/whole-app.ts';

onEachStore('a model at an address', (store) => {
  let whole: WholeApp;
  let server: EmbeddingServer;
  const call = (name: string, input?: Answer): Promise<Answer> => whole.call(owner, name, input);

  beforeAll(async () => {
    if (!store.available()) return;
    server = await startEmbeddingServer();
    whole = await openIndexingApp(temporaryFolder(), {
      ...store.config(),
      'search.embedder': 'endpoint',
      'search.endpoint_url': server.url,
      'search.endpoint_model': 'tiny',
    });
    await call('create_page', { title: 'Notes', content: '港口新灯塔' });
    await call('create_page', { title: 'Taxes', content: 'Forms are due in April.' });
    await call('memory_write', fact('Harbour', 'Vessels moor here.'));
    await call('reindex_search');
  });
  afterAll(async () => {
    await whole?.app.close();
    await server?.close();
  });

  const recall = (query: string): Promise<Answer> => call('memory_search', { query, tiers: ['semantic'] });

  it('[SEM-22] finds pages of any script by meaning, and says which model it asks', async () => {
    expect(await call('get_search_status')).toMatchObject({
      embedder: `tiny@${new URL(server.url).host}/1`,
      meaning: 'ready',
      indexed: 2,
    });
    const found = await call('search', { query: '塔灯', mode: 'semantic' });
    expect(found).toMatchObject({ mode: 'semantic', results: [{ title: 'Notes', why: ['meaning'] }] });
    await expect
      .poll(() => recall('Harbour vessels moore'))
      .toMatchObject({ items: [{ why: expect.arrayContaining(['meaning']) }] });
  });

  it('[SEM-23] goes by words while the model cannot be had, and by meaning again afterwards', async () => {
    server.instead = (response) => void response.writeHead(503).end();
    expect(await call('search', { query: 'forms' })).toMatchObject({
      mode: 'text',
      results: [{ title: 'Taxes' }],
    });
    await expect(call('search', { query: 'april', mode: 'semantic' })).rejects.toMatchObject({
      code: 'unavailable',
    });
    expect(await recall('vessels')).toMatchObject({
      items: [{ body: 'Vessels moor here.', why: ['words'] }],
    });
    server.instead = undefined;
    expect(await call('search', { query: 'forms' })).toMatchObject({ mode: 'hybrid' });
  });
});

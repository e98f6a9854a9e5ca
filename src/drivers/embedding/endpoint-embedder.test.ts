import { writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EmbeddingServer, startEmbeddingServer } from '../../../test/support/embedding-endpoint.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { toVectorBytes } from '../../domain/workspace/semantic/vector-bytes.ts';
import type { WorkspaceId } from '../../kernel/ids.ts';
import { createEndpointEmbedder } from './endpoint-embedder.ts';
import type { ScanningEmbedder } from './worker-scan.ts';

let server: EmbeddingServer;
let embedder: ScanningEmbedder;
const keyFile = join(temporaryFolder(), 'key');

beforeEach(async () => {
  server = await startEmbeddingServer();
  writeFileSync(keyFile, 'key-of-the-owner\n');
  embedder = createEndpointEmbedder({ url: new URL(server.url), model: 'tiny', keyFile });
});
afterEach(async () => {
  await embedder.close();
  await server.close();
});

const dot = (a?: Float32Array, b?: Float32Array): number =>
  a?.reduce((sum, x, i) => sum + x * (b?.[i] ?? 0), 0) ?? Number.NaN;

describe('[SEM-22] an embedder at an address', () => {
  it('answers unit vectors in the order of the texts, more than go into one request', async () => {
    const texts = Array.from({ length: 70 }, (_, i) => `${String.fromCodePoint(0x4e00 + i)}${i}`);
    const vectors = await embedder.embed(texts, 'passage');
    expect(vectors).toHaveLength(70);
    expect(server.asked.map(({ input }) => input.length)).toEqual([32, 32, 6]);
    for (const [i, text] of texts.entries()) {
      const [alone] = await embedder.embed([text], 'query');
      expect(vectors[i]).toEqual(alone);
      expect(dot(alone, alone)).toBeCloseTo(1, 5);
    }
  });

  it('finds the nearest page among vectors of its own length', async () => {
    const workspace = 'w' as WorkspaceId;
    const [sea, tax, query] = await embedder.embed(['harbour', 'zzz 10', 'harbours'], 'passage');
    await embedder.scan.put(workspace, [
      { page: 'tax', vectors: toVectorBytes(tax as Float32Array) },
      { page: 'sea', vectors: toVectorBytes(sea as Float32Array) },
    ]);
    const nearest = await embedder.scan.nearest(workspace, query as Float32Array, 2);
    expect(nearest.map(({ page }) => page)).toEqual(['sea', 'tax']);
  });

  it('shows its key to that address, as it is in the file by then, and reads every script', async () => {
    await embedder.embed(['a'], 'query');
    writeFileSync(keyFile, 'another-key');
    await embedder.embed(['', '笔记'], 'query');
    expect(server.asked.map(({ authorization }) => authorization)).toEqual([
      'Bearer key-of-the-owner',
      'Bearer another-key',
    ]);
    expect(server.asked.at(-1)?.input).not.toContain('');
    expect(embedder.reads('笔记')).toBe(true);
    expect(embedder.reads('🚀 —')).toBe(false);
  });
});

const json = (value: unknown) => (response: ServerResponse) => void response.end(JSON.stringify(value));
const one = (embedding: unknown, index = 0) => ({ index, embedding });

describe('[SEM-23] an embedder at an address that answers', () => {
  it.each<[string, (response: ServerResponse) => void]>([
    ['401', (response) => void response.writeHead(401).end('no key-of-the-owner')],
    [
      'by leading elsewhere',
      (response) => void response.writeHead(307, { location: `${server.url}/x` }).end(),
    ],
    ['no JSON', (response) => void response.end('<html>')],
    ['other JSON', json({ error: 'x' })],
    ['too few', json({ data: [] })],
    ['too many', json({ data: [one([1]), one([1], 1)] })],
    ['another index', json({ data: [one([1], 7)] })],
    ['words', json({ data: [one(['a'])] })],
    ['a number that is none', (response) => void response.end('{"data":[{"index":0,"embedding":[1e999]}]}')],
    ['an empty vector', json({ data: [one([])] })],
    ['too long a vector', json({ data: [one(Array.from({ length: 9_000 }, () => 1))] })],
    ['without end', (response) => void response.end(`{"data":[${' '.repeat(17 * 1024 * 1024)}]}`)],
    ['by hanging up', (response) => void response.destroy()],
  ])('%s is not there, and its key is told to nobody', async (_, instead) => {
    server.instead = instead;
    const failure = await embedder.embed(['a'], 'query').catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'unavailable', message: expect.stringContaining('127.0.0.1') });
    expect(String(failure)).not.toContain('key-of-the-owner');
    expect(server.asked).toHaveLength(1);
  });

  it('vectors of another length than before is not there either', async () => {
    await embedder.embed(['a'], 'query');
    server.instead = json({ data: [one([1, 2, 3])] });
    await expect(embedder.embed(['a'], 'query')).rejects.toMatchObject({ code: 'unavailable' });
  });

  it.each(['two lines\nof text', '', 'snow ☃'])('nothing is asked with %j for a key', async (key) => {
    writeFileSync(keyFile, key);
    await expect(embedder.embed(['a'], 'query')).rejects.toThrow('"search.endpoint_key_file"');
    expect(server.asked).toEqual([]);
  });
});

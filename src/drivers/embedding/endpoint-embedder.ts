/** A model elsewhere: whatever answers the embeddings request that OpenAI, Ollama, vLLM and others share. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { SluiceError } from '../../kernel/errors.ts';
import { systemCode } from '../../kernel/system-code.ts';
import { createScanWorker, type ScanningEmbedder, scanIn } from './worker-scan.ts';

export interface EmbeddingEndpoint {
  /** As its makers write it, ending before `/embeddings`. */
  readonly url: URL;
  readonly model: string;
  /** Holds the key, if it wants one; read with every request, so that a new key counts at once. */
  readonly keyFile?: string | undefined;
}

/** Somebody waits for a query; passages wait for nobody. */
const WAIT_MS = { query: 3_000, passage: 60_000 };
const AT_ONCE = 32;
const MOST_DIMENSIONS = 8_192;
const MOST_BYTES = 16 * 1024 * 1024;
/** The scan takes so many components in one step. */
const STEP = 8;

const answerShape = z.object({
  data: z.array(
    z.object({ index: z.int().min(0), embedding: z.array(z.number()).min(1).max(MOST_DIMENSIONS) }),
  ),
});

export function createEndpointEmbedder(endpoint: EmbeddingEndpoint): ScanningEmbedder {
  const worker = createScanWorker();
  const closing = new AbortController();
  let dimensions: number | undefined;

  /** Vectors of other lengths cannot be compared, so a model that changes is not listened to. */
  const sameLength = (vector: Float32Array): Float32Array => {
    dimensions ??= vector.length;
    if (vector.length === dimensions) return vector;
    throw failed(endpoint, `gave ${vector.length} numbers for a text and ${dimensions} before`);
  };

  return {
    model: `${endpoint.model}@${endpoint.url.host}/1`,
    reads: (text) => /[\p{L}\p{N}]/u.test(text),
    async embed(texts, purpose) {
      const vectors: Float32Array[] = [];
      for (let i = 0; i < texts.length; i += AT_ONCE) {
        const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(WAIT_MS[purpose])]);
        const made = await ask(endpoint, texts.slice(i, i + AT_ONCE), signal);
        vectors.push(...made.map(toUnitVector).map(sameLength));
      }
      return vectors;
    },
    scan: scanIn(worker, () => {
      if (dimensions !== undefined) return dimensions;
      throw new SluiceError('unavailable', 'Nothing was embedded yet, so there is nothing to compare with');
    }),
    async close() {
      closing.abort();
      await worker.close();
    },
  };
}

async function ask(
  endpoint: EmbeddingEndpoint,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<readonly (readonly number[])[]> {
  const key = endpoint.keyFile === undefined ? undefined : await readKey(endpoint.keyFile);
  const response = await fetch(addressOf(endpoint), {
    method: 'POST',
    // An answer from elsewhere is not the one that was asked for, and would be given the key.
    redirect: 'error',
    signal,
    headers: {
      'content-type': 'application/json',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    },
    // An empty text is refused by most.
    body: JSON.stringify({
      model: endpoint.model,
      input: texts.map((text) => (text.trim() === '' ? '.' : text)),
      encoding_format: 'float',
    }),
  }).catch((error: unknown) => {
    throw failed(endpoint, 'cannot be reached or did not answer in time', error);
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw failed(endpoint, `answered ${response.status}`);
  }
  const read = answerShape.safeParse(await readJson(endpoint, response));
  if (!read.success || !isWhole(read.data.data, texts.length))
    throw failed(endpoint, `did not answer one embedding for each of ${texts.length} texts`);
  return read.data.data.toSorted((a, b) => a.index - b.index).map(({ embedding }) => embedding);
}

const isWhole = (data: readonly { readonly index: number }[], count: number): boolean =>
  data.length === count &&
  new Set(data.map(({ index }) => index)).size === count &&
  data.every(({ index }) => index < count);

async function readJson(endpoint: EmbeddingEndpoint, response: Response): Promise<unknown> {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of response.body ?? []) {
      size += part.length;
      if (size > MOST_BYTES) throw new Error(`more than ${MOST_BYTES} bytes`);
      parts.push(part);
    }
    return JSON.parse(Buffer.concat(parts).toString());
  } catch (error) {
    throw failed(endpoint, 'gave an answer that cannot be read', error);
  }
}

/** Of length one, and filled up with nothing to what the scan takes. */
function toUnitVector(numbers: readonly number[]): Float32Array {
  const length = Math.hypot(...numbers);
  const vector = new Float32Array(Math.ceil(numbers.length / STEP) * STEP);
  if (length > 0) vector.set(numbers.map((x) => x / length));
  return vector;
}

const addressOf = ({ url }: EmbeddingEndpoint): URL =>
  new URL(`${url.pathname.replace(/\/+$/, '')}/embeddings${url.search}`, url);

async function readKey(path: string): Promise<string> {
  try {
    const key = (await readFile(path, 'utf8')).trim();
    if (/^[\x21-\x7e]{1,4096}$/.test(key)) return key;
  } catch (error) {
    throw new SluiceError(
      'unavailable',
      `"search.endpoint_key_file": ${path} cannot be read (${systemCode(error)})`,
      {},
      error,
    );
  }
  throw new SluiceError(
    'unavailable',
    `"search.endpoint_key_file": ${path} must hold one key and nothing else`,
  );
}

const failed = ({ url }: EmbeddingEndpoint, what: string, cause?: unknown): SluiceError =>
  new SluiceError(
    'unavailable',
    `The embedder at ${url.host} ${what}; search goes by words meanwhile`,
    {},
    cause,
  );

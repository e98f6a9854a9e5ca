import { describe, expect, it } from 'vitest';
import type { Config } from '../config/keys.ts';
import { openEmbedder } from './open-embedder.ts';

const config = (given: Partial<Config>): Config =>
  ({
    'search.embedder': 'endpoint',
    'search.endpoint_url': 'https://models.example/v1',
    'search.endpoint_model': 'm',
    'search.endpoint_key_file': null,
    ...given,
  }) as Config;

describe('[SEM-24] an embedder at an address', () => {
  it.each([
    null,
    'models.example',
    'http://models.example/v1',
    'ftp://127.0.0.1/',
    'https://u:p@models.example/',
  ])('is not opened at %j', (url) => {
    expect(() => openEmbedder(config({ 'search.endpoint_url': url }))).toThrow(
      '"search.endpoint_url" must be',
    );
  });

  it('is not opened without a model', () => {
    expect(() => openEmbedder(config({ 'search.endpoint_model': null }))).toThrow(
      '"search.endpoint_model" must be',
    );
  });

  it.each(['https://models.example/v1', 'http://localhost:11434/v1', 'http://[::1]:80/'])(
    'is opened at %s',
    async (url) => {
      const embedder = openEmbedder(config({ 'search.endpoint_url': url }));
      expect(embedder?.model).toBe(`m@${new URL(url).host}/1`);
      await embedder?.close();
    },
  );
});

/** Opens the embedder that the configuration names; undefined where search goes by words alone. */
import type { Config } from '../config/keys.ts';
import { createBuiltinEmbedder } from '../drivers/embedding/builtin-embedder.ts';
import { createEndpointEmbedder } from '../drivers/embedding/endpoint-embedder.ts';
import type { ScanningEmbedder } from '../drivers/embedding/worker-scan.ts';
import { isLoopback } from '../drivers/mcp-upstream/address-rules.ts';
import { SluiceError } from '../kernel/errors.ts';

export function openEmbedder(config: Config): ScanningEmbedder | undefined {
  switch (config['search.embedder']) {
    case 'builtin':
      return createBuiltinEmbedder();
    case 'endpoint':
      return createEndpointEmbedder({
        url: readAddress(config['search.endpoint_url']),
        model: config['search.endpoint_model'] ?? missing('search.endpoint_model', 'the model to ask for'),
        keyFile: config['search.endpoint_key_file'] ?? undefined,
      });
    case 'none':
      return undefined;
  }
}

/** Pages and the key travel there. */
function readAddress(text: string | null): URL {
  const wanted = 'an address such as https://models.example/v1 or http://127.0.0.1:11434/v1';
  if (text === null || !URL.canParse(text)) return missing('search.endpoint_url', wanted);
  const url = new URL(text);
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
  if (!isSafe) return missing('search.endpoint_url', `${wanted}: https, or on this machine`);
  if (url.username !== '' || url.password !== '')
    return missing(
      'search.endpoint_url',
      `${wanted}, without a password: keys belong into "search.endpoint_key_file"`,
    );
  return url;
}

function missing(key: string, wanted: string): never {
  throw new SluiceError('invalid_input', `"${key}" must be ${wanted} when "search.embedder" is endpoint`);
}

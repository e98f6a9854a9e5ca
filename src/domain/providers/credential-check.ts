/** Arguments carry no credentials: those are kept by Sluice and added where they are sent, never by a caller. */
import { refusal } from './refusals.ts';

const KEYS =
  /(?:^|_)(?:api_?key|access_token|refresh_token|auth_token|authorization|bearer_token|oauth_token|credentials?|client_secret|password|secret)$/i;
const MAX_DEPTH = 64;

export function refuseCredentials(provider: string, input: unknown): void {
  const stack: { readonly value: unknown; readonly path: string; readonly depth: number }[] = [
    { value: input, path: '', depth: 0 },
  ];
  for (let item = stack.pop(); item; item = stack.pop()) {
    const { value, path, depth } = item;
    if (depth > MAX_DEPTH) throw found(provider, path, 'is nested too deep to be looked at');
    if (typeof value === 'string' && /^\s*bearer\s/i.test(value.slice(0, 200)))
      throw found(provider, path, 'is a credential');
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inner] of Object.entries(value)) {
      const at = path === '' ? key : `${path}.${key}`;
      if (namesCredential(key) && inner !== null && inner !== '')
        throw found(provider, at, 'names a credential');
      stack.push({ value: inner, path: at, depth: depth + 1 });
    }
  }
}

export const namesCredential = (key: string): boolean => KEYS.test(inSnakeCase(key));

/** However it is written: in camel case, with hyphens, in wide letters, with something invisible in it. */
const inSnakeCase = (key: string): string =>
  key
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replace(/_$/, '');

const found = (provider: string, field: string, problem: string) =>
  refusal(
    'DELEG_PROVIDER_BLOCKED',
    provider,
    `"${field}" ${problem}; Sluice keeps credentials and sends them itself`,
    {
      field,
      diagnostic: 'DELEG_GATEWAY_MCP_CREDENTIAL_BLOCKED',
    },
  );

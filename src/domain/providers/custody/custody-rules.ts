/** How a provider is given its credentials: whose, in which header, in which variables of its program. */
import { invalidInput } from '../../../kernel/errors.ts';
import { checkCredentialRef } from './credential-ref.ts';

export interface Custody {
  /** Each caller's own, and never another one in its place. */
  readonly perUser: boolean;
  readonly header: string;
  /** `{}` stands for the credential, `{base64}` for its base64. */
  readonly format: string;
  /** References by the names of variables. */
  readonly environment: Readonly<Record<string, string>>;
}

const DEFAULT_CUSTODY: Custody = {
  perUser: false,
  header: 'authorization',
  format: 'Bearer {}',
  environment: {},
};

export const custodyOf = ({ custody }: { readonly custody?: Custody }): Custody => custody ?? DEFAULT_CUSTODY;

const HEADER = /^[a-z0-9][a-z0-9-]{0,63}$/;
/** Of the message or the connection, not of whoever sends it. */
const OUR_HEADERS =
  /^(mcp-.*|host|connection|content-.*|transfer-encoding|te|upgrade|accept.*|expect|trailer)$/;
const FORMAT = /^[\x21-\x7e]*( [\x21-\x7e]+)*$/;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
/** They say which code a program runs. */
const STEERING =
  /^(PATH|HOME|TMPDIR|TEMP|TMP|LANG|SHELL|IFS|ENV|BASH_.*|LD_.*|DYLD_.*|NODE_.*|NPM_CONFIG_.*|PYTHON.*|PERL.*|RUBY.*|JAVA_.*|_JAVA_.*|GIT_.*|SYSTEMROOT|COMSPEC)$/i;
const MAX_VARIABLES = 32;

export function checkCustody(custody: Custody): Custody {
  const header = custody.header.toLowerCase();
  if (!HEADER.test(header) || OUR_HEADERS.test(header))
    throw invalidInput('credential_header', `must be the name of a header for credentials, not "${header}"`);
  const places = custody.format.match(/\{(base64)?\}/g) ?? [];
  if (!FORMAT.test(custody.format) || places.length !== 1)
    throw invalidInput('credential_format', 'must be text with one {} or {base64}, such as "Bearer {}"');
  const names = Object.keys(custody.environment);
  if (names.length > MAX_VARIABLES)
    throw invalidInput('environment', `must have at most ${MAX_VARIABLES} variables`);
  for (const name of names) checkVariable(name);
  for (const ref of Object.values(custody.environment)) checkCredentialRef(ref, 'environment');
  return { ...custody, header };
}

function checkVariable(name: string): void {
  if (!VARIABLE.test(name)) throw invalidInput('environment', `must name variables, not "${name}"`);
  if (STEERING.test(name))
    throw invalidInput('environment', `must not set "${name}", which decides what a program runs`);
}

export const inFormat = (format: string, secret: string): string =>
  format.replace(/\{(base64)?\}/, (_, base64: string | undefined) =>
    base64 === undefined ? secret : Buffer.from(secret).toString('base64'),
  );

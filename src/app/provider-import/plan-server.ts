/**
 * What of a foreign entry can be registered, and why the rest cannot. Values of variables and headers are never taken
 * over and never shown: they may be secrets. Nothing is filled in, and nothing is run.
 */
import { isAbsolute } from 'node:path';
import { findSecrets } from '../../domain/providers/firewall/find-secrets.ts';
import { DEFAULT_RULES } from '../../domain/providers/firewall/rules.ts';
import type { Sensitivity } from '../../domain/providers/firewall/token-shapes.ts';
import { checkTransport } from '../../domain/providers/profile.ts';
import { asSluiceError } from '../../kernel/errors.ts';
import { isObject } from './find-servers.ts';

export interface PlannedServer {
  /** Null for one that cannot be registered. */
  readonly target:
    | { readonly command: readonly string[]; readonly folder?: string }
    | { readonly url: string }
    | null;
  /** What would be run or dialled, as one would type it; secrets are masked. */
  readonly shown: string;
  /** Names alone. */
  readonly environment: readonly string[];
  readonly headers: readonly string[];
  readonly warnings: readonly string[];
  readonly problems: readonly string[];
}

const SHELLS = /^(?:sh|bash|zsh|dash|fish|ksh|cmd|powershell|pwsh)(?:\.exe)?$/i;
const SECRET_OPTION =
  /^-{1,2}[A-Za-z0-9_-]*(?:api[-_]?key|apikey|token|secret|password|passwd|credential|authorization|bearer)[A-Za-z0-9_-]*(=|$)/i;
/** Variables that load other code into a program, or another program in its place. */
const STEERING =
  /^(?:PATH|HOME|SHELL|IFS|ENV|BASH_.*|LD_.*|DYLD_.*|NODE_.*|NPM_CONFIG_.*|PYTHON.*|PERL.*|RUBY.*|JAVA_.*|_JAVA_.*|GIT_.*)$/i;
const MASK = '‹a secret›';

export function planServer(server: unknown): PlannedServer {
  if (!isObject(server)) return refused('', 'is no object');
  const environment = Object.keys(isObject(server.env) ? server.env : {}).sort();
  const headers = [
    ...Object.keys(isObject(server.headers) ? server.headers : {}),
    ...Object.keys(isObject(server.http_headers) ? server.http_headers : {}),
    ...(typeof server.bearer_token_env_var === 'string' ? ['Authorization'] : []),
  ].sort();
  const url = [server.httpUrl, server.serverUrl, server.url].find((value) => value !== undefined);
  const plan =
    server.command === undefined && url !== undefined ? planAddress(url, server) : planProgram(server);
  const steering = environment.filter((name) => STEERING.test(name));
  const problems = steering.map((name) => `sets ${visible(name)}, which decides what a program runs`);
  return {
    ...plan,
    ...(problems.length > 0 && { target: null, problems: [...plan.problems, ...problems] }),
    environment: environment.map(visible),
    headers: headers.map(visible),
  };
}

/** The words of others, after ours. */
const notRegistered = (error: unknown): string => `cannot be registered: ${asSluiceError(error).message}`;

type Part = Omit<PlannedServer, 'environment' | 'headers'>;

const refused = (shown: string, ...problems: string[]): PlannedServer => ({
  target: null,
  shown,
  environment: [],
  headers: [],
  warnings: [],
  problems,
});

function planAddress(url: unknown, { type }: Readonly<Record<string, unknown>>): Part {
  if (typeof url !== 'string') return refused('', 'has a "url" that is no text');
  const shown = withoutQuery(url);
  if (type === 'sse') return refused(shown, 'speaks the older HTTP+SSE transport, which Sluice does not');
  const problems = [...placeholders([url]), ...secretsIn([url])];
  try {
    checkTransport({ kind: 'streamable_http', url, privateNetwork: false });
  } catch (error) {
    problems.push(notRegistered(error));
  }
  return { target: problems.length === 0 ? { url } : null, shown, warnings: [], problems };
}

const withoutQuery = (url: string): string => {
  const [place = ''] = url.split(/[?#]/);
  const cleaned = place.replace(/\/\/[^/@]*@/, `//${MASK}@`);
  return place === url ? masked(cleaned) : `${masked(cleaned)}?${MASK}`;
};

function planProgram(server: Readonly<Record<string, unknown>>): Part {
  const { command, args = [], cwd } = server;
  if (typeof command !== 'string' || command === '') return refused('', 'names no program and no address');
  if (!Array.isArray(args) || !args.every((arg) => typeof arg === 'string'))
    return refused(quoted(command), 'has "args" that are no list of texts');
  const words = [command, ...(args as string[])];
  const problems = [
    ...placeholders(words),
    ...secretsIn(words),
    ...(/[/\\]/.test(command) && !isAbsolute(command) && !/^[A-Za-z]:\\/.test(command)
      ? ['gives its program by a relative path; write it in full']
      : []),
    ...(cwd === undefined && words.some((word) => /^\.{1,2}[/\\]/.test(word) && word !== command)
      ? ['has a relative path among its words and no folder; write it in full']
      : []),
    ...(cwd !== undefined && (typeof cwd !== 'string' || !isAbsolute(cwd))
      ? ['has a "cwd" that is no full path']
      : []),
  ];
  try {
    checkTransport({ kind: 'stdio_command', command, args: args as string[], folder: null });
  } catch (error) {
    problems.push(notRegistered(error));
  }
  const program = command.split(/[/\\]/).at(-1) ?? '';
  const warnings = [
    ...(SHELLS.test(program) ? ['runs a shell, which may run anything'] : []),
    ...(/\s/.test(command) ? ['has a program with a space in its name, which is run as one word'] : []),
    ...(server.disabled === true || server.enabled === false ? ['is switched off there'] : []),
  ];
  const folder = typeof cwd === 'string' ? { folder: cwd } : {};
  const shown = shownWords(words);
  return { target: problems.length === 0 ? { command: words, ...folder } : null, shown, warnings, problems };
}

/** The exact words but for what must not be seen. */
const shownWords = (words: readonly string[]): string =>
  words
    .map((word, at) => {
      const before = words[at - 1] ?? '';
      if (isSecretOption(before) && !before.includes('=')) return MASK;
      const [name = ''] = word.split('=');
      return isSecretOption(word) && word.includes('=') ? `${name}=${MASK}` : quoted(masked(word));
    })
    .join(' ');

const isSecretOption = (word: string): boolean => SECRET_OPTION.test(word);

const isCredential = (found: Sensitivity): boolean => found === 'CREDENTIAL_LIKE';

const masked = (text: string): string => findSecrets(DEFAULT_RULES, [text], isCredential).texts.join('');

const quoted = (word: string): string =>
  /^[\w@%+=:,./‹›-]+$/.test(word) ? word : `'${visible(word).replaceAll("'", "'\\''")}'`;

/** What a terminal would act upon or not show. */
export const visible = (word: string): string =>
  word.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (letter) => `\\u{${letter.codePointAt(0)?.toString(16)}}`);

function secretsIn(words: readonly string[]): readonly string[] {
  const found = words.some(
    (word, at) =>
      findSecrets(DEFAULT_RULES, [word], isCredential).found.some((secret) => isCredential(secret.class)) ||
      (isSecretOption(word) && (word.includes('=') || (words[at + 1] ?? '-').startsWith('-') === false)),
  );
  return found ? ['has a credential among its words; keep it with "sluice credential set" instead'] : [];
}

const placeholders = (words: readonly string[]): readonly string[] => {
  const found = words.join('\n').match(/\$\{[^}\n]{1,80}\}|\$\([^)\n]{1,80}\)/)?.[0];
  return found === undefined ? [] : [`has ${visible(found)} in it, which the other program would fill in`];
};

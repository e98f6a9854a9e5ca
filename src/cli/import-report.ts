/** How servers of other programs are shown before anything is done about them: the exact words first. */
export interface ImportedServer {
  readonly id: string;
  readonly name: string;
  readonly from: string;
  readonly file: string;
  readonly scope: string | null;
  readonly shown: string;
  readonly environment: readonly string[];
  readonly headers: readonly string[];
  /** References by which the values of those are to be kept. */
  readonly credentials: readonly string[];
  readonly warnings: readonly string[];
  readonly problems: readonly string[];
  /** Null unless it was registered just now. */
  readonly state: string | null;
}

export function reportImport(
  plan: {
    readonly applied: boolean;
    readonly servers: readonly ImportedServer[];
    readonly unread: readonly { readonly file: string; readonly problem: string }[];
  },
  /** How they were asked for. */
  words: readonly string[],
): string {
  const unread = plan.unread.map(({ file, problem }) => `${file} ${problem}`);
  if (plan.servers.length === 0) return [...unread, 'No servers were found'].join('\n');
  const shown = plan.servers.map((server) => describe(server).join('\n'));
  return [...unread, ...shown, plan.applied ? afterwards(plan.servers) : before(plan.servers, words)].join(
    '\n\n',
  );
}

const afterwards = (servers: readonly ImportedServer[]): string =>
  servers.some(({ state }) => state !== null)
    ? 'Nothing of them runs yet; to ask one what it shows: sluice provider discover ID'
    : 'None of them was registered';

const before = (servers: readonly ImportedServer[], words: readonly string[]): string =>
  servers.some(({ problems }) => problems.length === 0)
    ? `Nothing was changed; to register what can be: ${['sluice provider import', ...words.map(asWord), '--apply'].join(' ')}`
    : 'Nothing was changed, and none of them can be taken';

const asWord = (text: string): string =>
  /^[\w./,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

function describe(server: ImportedServer): readonly string[] {
  const { id, name, from, file, scope, shown, environment, headers, credentials } = server;
  return [
    `${id}${server.state === null ? '' : ` ${server.state}`}: "${name}" of ${from}, ${file}${scope === null ? '' : ` for ${scope}`}`,
    ...(shown === '' ? [] : [`  ${/^[a-z]+:/i.test(shown) ? 'at' : 'runs'}: ${shown}`]),
    ...list('variables', environment),
    ...list('headers', headers),
    ...credentials.map((ref) => `  keep its value: sluice credential set ${ref}`),
    ...server.warnings.map((warning) => `  careful: it ${warning}`),
    ...server.problems.map((problem) => `  not taken: it ${problem}`),
  ];
}

const list = (what: string, names: readonly string[]): readonly string[] =>
  names.length === 0 ? [] : [`  ${what}: ${names.join(', ')} (their values are not taken over)`];

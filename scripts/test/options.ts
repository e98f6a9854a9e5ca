/** What `npm test` was asked for. */

const suites = ['unit', 'architecture', 'contract', 'e2e', 'conformance', 'hostile', 'examples'] as const;
type Suite = (typeof suites)[number];

export interface TestOptions {
  readonly suites: readonly Suite[];
  /** Nothing was named, so the check runs too. */
  readonly everything: boolean;
  readonly soak: boolean;
  /** Unit and architecture tests need neither test/peers nor, unless they ask, PostgreSQL. */
  readonly needsPeers: boolean;
}

/** The options, or in words why the arguments make no sense. */
export function readOptions(args: readonly string[]): TestOptions | string {
  const named = args.filter((arg) => arg !== '--soak');
  const unknown = named.find((name) => !suites.some((suite) => suite === name));
  if (unknown !== undefined)
    return `"${unknown}" is no suite; there are ${suites.join(', ')}, and the option --soak`;
  const chosen = named.length > 0 ? suites.filter((suite) => named.includes(suite)) : suites;
  return {
    suites: chosen,
    everything: named.length === 0,
    soak: args.includes('--soak'),
    needsPeers: chosen.some((suite) => suite !== 'unit' && suite !== 'architecture'),
  };
}

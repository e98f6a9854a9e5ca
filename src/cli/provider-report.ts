/** How a provider is shown to a person who has to decide about it: everything, with what is odd in front. */
import { facts, table } from './output.ts';

export interface ShownProvider {
  readonly id: string;
  readonly state: string;
  readonly reason: string;
  readonly trust_tier: string;
  readonly transport_kind: string;
  readonly target: string;
  readonly folder?: string | null;
  readonly credential_ref: string | null;
  readonly credential?: ShownCustody | null;
  readonly isolation: string | null;
  readonly processes?: readonly number[];
  readonly stale_since?: string | null;
  /** Of one that could not be asked: why, and what its program said. */
  readonly failure?: string;
  readonly stderr?: string;
  readonly tools?: readonly ShownTool[];
  readonly prompts?: readonly ShownRest[];
  readonly resources?: readonly (ShownRest & { readonly uri: string })[];
  readonly findings?: readonly string[];
  readonly drift?: readonly ShownDrift[];
  readonly admission?: readonly {
    readonly check: string;
    readonly outcome: string;
    readonly detail: string;
  }[];
  readonly dropped?: Readonly<Record<'tools' | 'prompts' | 'resources', readonly string[]>>;
  readonly unconfirmed?: readonly { readonly call_id: string; readonly tool: string; readonly at: string }[];
}

interface ShownCustody {
  readonly per_user: boolean;
  readonly held: readonly { readonly user: string | null; readonly expires_at: string | null }[];
}

interface ShownTool {
  readonly name: string;
  readonly admitted: boolean;
  readonly effect_class: string;
  readonly effect_confirmed: boolean;
  readonly description: string;
  readonly findings: readonly string[];
}

type ShownRest = Omit<ShownTool, 'effect_class' | 'effect_confirmed'>;

interface ShownDrift {
  readonly what: string;
  readonly name: string;
  readonly kind: string;
  readonly fields: readonly {
    readonly path: string;
    readonly before: string | null;
    readonly after: string | null;
  }[];
}

export function reportProvider(provider: ShownProvider): string {
  const { id, state, reason, trust_tier, transport_kind, target, folder, isolation, processes, stale_since } =
    provider;
  return [
    facts({
      id,
      state: stale_since ? `${state} (stale)` : state,
      reason,
      trust: trust_tier,
      transport: transport_kind,
      [transport_kind === 'stdio_command' ? 'runs' : 'at']: target,
      ...(transport_kind === 'stdio_command' && { 'in folder': folder ?? whereElse(isolation) }),
      ...(isolation && { 'shut in': isolation }),
      ...(processes && { processes: processes.length }),
      ...(stale_since && { 'not reached since': stale_since }),
    }),
    ...custody(provider),
    ...admission(provider.admission ?? []),
    ...said(provider.stderr ?? ''),
    ...findings(provider.findings ?? []),
    ...drift(provider.drift ?? [], state),
    ...dropped(provider.dropped),
    ...unconfirmed(provider.unconfirmed ?? []),
    ...tools(provider.tools ?? []),
    ...rest('PROMPT', provider.prompts ?? []),
    ...rest('RESOURCE', provider.resources?.map(({ uri, ...shown }) => ({ ...shown, name: uri })) ?? []),
  ].join('\n');
}

const whereElse = (isolation: string | null): string =>
  isolation === null ? '(the one Sluice was started in)' : '(an empty one of its own)';

/** Whether it is there, never what it is. */
function custody({ credential_ref, credential }: ShownProvider): readonly string[] {
  if (!credential) return [];
  const whose = credential.per_user
    ? `of ${credential.held.map(({ user }) => user).join(', ') || 'nobody yet'}`
    : credential.held.length > 0
      ? 'kept'
      : 'missing';
  return [facts({ credential: `${credential_ref ?? 'in its environment'} (${whose})` })];
}

const admission = (checks: NonNullable<ShownProvider['admission']>): readonly string[] =>
  checks.length === 0
    ? []
    : [
        '',
        table(
          ['CHECK', 'OUTCOME', 'WHICH IS'],
          checks.map((one) => [one.check, one.outcome, one.detail]),
        ),
      ];

function dropped(gone: ShownProvider['dropped']): readonly string[] {
  const lines = Object.entries(gone ?? {}).flatMap(([what, names]) =>
    names.length > 0 ? [`  ${what}: ${names.join(', ')}`] : [],
  );
  return lines.length > 0 ? ['', 'No longer admitted:', ...lines] : [];
}

const unconfirmed = (calls: NonNullable<ShownProvider['unconfirmed']>): readonly string[] =>
  calls.length === 0
    ? []
    : [
        '',
        'Nobody knows whether these were carried out:',
        ...calls.map(({ at, tool, call_id }) => `  ${at} ${tool} ${call_id}`),
      ];

const said = (stderr: string): readonly string[] =>
  stderr.trim() === ''
    ? []
    : [
        '',
        'Its program said:',
        ...stderr
          .trimEnd()
          .split('\n')
          .map((line) => `  ${line}`),
      ];

const findings = (found: readonly string[]): readonly string[] =>
  found.length === 0 ? [] : ['', 'Found:', ...found.map((one) => `  ${one}`)];

function drift(changes: readonly ShownDrift[], state: string): readonly string[] {
  if (changes.length === 0) return [];
  const lines = changes.flatMap(({ what, name, kind, fields }) => [
    `  ${what} ${name} ${kind}`,
    ...fields.flatMap(({ path, before, after }) => [
      `    ${path}`,
      `      - ${before ?? '(nothing)'}`,
      `      + ${after ?? '(nothing)'}`,
    ]),
  ]);
  // Whoever has just released it is shown what that was about.
  return [
    '',
    state === 'READY' ? 'What had changed, and is admitted now:' : 'Not as it was admitted:',
    ...lines,
  ];
}

function tools(shown: readonly ShownTool[]): readonly string[] {
  if (shown.length === 0) return [];
  const rows = shown.map(
    ({ name, admitted, effect_class, effect_confirmed, findings: found, description }) => [
      name,
      stateOf(admitted, found),
      effect_confirmed ? effect_class : `${effect_class} (its word)`,
      description.slice(0, 80),
    ],
  );
  return ['', table(['TOOL', 'STATE', 'EFFECT', 'SAYS OF ITSELF'], rows)];
}

function rest(what: string, shown: readonly ShownRest[]): readonly string[] {
  if (shown.length === 0) return [];
  const rows = shown.map(({ name, admitted, findings: found, description }) => [
    name,
    stateOf(admitted, found),
    description.slice(0, 80),
  ]);
  return ['', table([what, 'STATE', 'SAYS OF ITSELF'], rows)];
}

function stateOf(admitted: boolean, found: readonly string[]): string {
  if (admitted) return 'admitted';
  return found.some((one) => one.startsWith('hold')) ? 'held' : 'waits';
}

/** Undefined where it was asked. */
export const notDiscovered = ({ id, failure }: ShownProvider): string | undefined =>
  failure === undefined
    ? undefined
    : `"${id}" could not be asked what it shows (${failure}); once that is mended: sluice provider discover ${id}`;

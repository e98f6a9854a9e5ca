/** Takes servers over from the configurations of other programs. Nothing of them is run. */
import { homedir } from 'node:os';
import { PROGRAMS } from '../../../app/provider-import/config-places.ts';
import type { ImportPlan, PlannedImport } from '../../../app/provider-import/plan-import.ts';
import { asSluiceError, invalidInput } from '../../../kernel/errors.ts';
import { type CommandInput, defineCommand, flagOf, listOf, textOf } from '../../command.ts';
import type { CliContext } from '../../context.ts';
import { type ImportedServer, reportImport } from '../../import-report.ts';

export const importProviders = defineCommand({
  path: ['provider', 'import'],
  summary:
    'Show which MCP servers other programs use, and with --apply register them; nothing of them is run',
  options: [
    {
      name: 'from',
      value: 'program',
      summary: `One of ${PROGRAMS.join(', ')}, or a file; all of them if left out`,
      choices: PROGRAMS,
    },
    {
      name: 'only',
      value: 'names',
      summary: 'These servers, by name or id, separated by commas',
      many: true,
    },
    { name: 'apply', summary: 'Register what can be; without it nothing is changed' },
  ],
  examples: ['provider import', 'provider import --from cursor', 'provider import --from ./mcp.json --apply'],
  async run(context, input) {
    const { planImport } = await import('../../../app/provider-import/plan-import.ts');
    const at = { userHome: homedir(), folder: process.cwd(), platform: process.platform };
    const plan = chosen(read(planImport(at, textOf(input, 'from')), input), input);
    const servers = flagOf(input, 'apply') ? await register(context, plan) : plan.servers.map(asShown);
    const answer = { applied: flagOf(input, 'apply'), servers, unread: plan.unread };
    context.output.data(answer, () => reportImport(answer, wordsOf(input)));
    const left = servers.filter(({ state }) => state === null).length;
    if (!answer.applied || left === 0) return;
    const told = `${left} of ${servers.length} ${left === 1 ? 'was' : 'were'} not taken; above it says why`;
    // Of all that was found it takes what can be; what was named was wanted.
    if (listOf(input, 'only') !== undefined || left === servers.length) context.output.shortfall(told);
    else context.output.note(told);
  },
});

/** As they were given, for the next time. */
const wordsOf = (input: CommandInput): readonly string[] => {
  const [from, only] = [textOf(input, 'from'), listOf(input, 'only')];
  return [...(from === undefined ? [] : ['--from', from]), ...(only ? ['--only', only.join(',')] : [])];
};

/** One file that was asked for is read or refused; of all of them what can be read is shown. */
function read(plan: ImportPlan, input: CommandInput): ImportPlan {
  const [unread] = plan.unread;
  if (unread && plan.servers.length === 0 && textOf(input, 'from') !== undefined)
    throw invalidInput('--from', `names a configuration that ${unread.problem}: ${unread.file}`);
  return plan;
}

function chosen(plan: ImportPlan, input: CommandInput): ImportPlan {
  const only = listOf(input, 'only');
  if (only === undefined) return plan;
  const has = (wanted: string) => plan.servers.some(({ id, name }) => wanted === id || wanted === name);
  const missing = only.find((wanted) => !has(wanted));
  if (missing !== undefined) throw invalidInput('--only', `names "${missing}", which none of them has`);
  return {
    ...plan,
    servers: plan.servers.filter(({ id, name }) => only.includes(id) || only.includes(name)),
  };
}

const register = (context: CliContext, { servers }: ImportPlan): Promise<readonly ImportedServer[]> =>
  context.withHome(async (home) => {
    const done: ImportedServer[] = [];
    for (const server of servers) {
      if (!server.target) {
        done.push(asShown(server));
        continue;
      }
      try {
        const { state } = await home.call('provider.register', {
          id: server.id,
          display_name: `${server.name} (from ${server.from})`.slice(0, 200),
          ...server.target,
          ...credentialsOf(server),
        });
        done.push({ ...asShown(server), state: String(state) });
      } catch (error) {
        done.push({
          ...asShown({ ...server, target: null }),
          problems: [`cannot be registered: ${asSluiceError(error).message}`],
        });
      }
    }
    return done;
  });

/** Where the values are to be kept; they come from standard input, never from here. */
const credentialRef = (id: string, name: string): string =>
  `connector://${`${id}/${name}`.replaceAll(/authorization|bearer/gi, 'auth')}`;

function credentialsOf({
  id,
  target,
  environment,
  headers,
}: PlannedImport): Readonly<Record<string, unknown>> {
  if (!target) return {};
  if ('command' in target)
    return { environment: Object.fromEntries(environment.map((name) => [name, credentialRef(id, name)])) };
  const header = sentHeader(headers);
  if (header === undefined) return {};
  const plain = header.toLowerCase() !== 'authorization' && {
    credential_header: header,
    credential_format: '{}',
  };
  return { credential: credentialRef(id, header), ...plain };
}

/** One of them is sent, and that is the credential where there is one. */
const sentHeader = (headers: readonly string[]): string | undefined =>
  headers.find((name) => name.toLowerCase() === 'authorization') ?? headers[0];

/** What cannot be registered needs no values either. */
function asShown({ target, ...server }: PlannedImport): ImportedServer {
  const { id, environment, headers, warnings } = server;
  const sent = sentHeader(headers);
  const wanted = !target ? [] : 'command' in target ? environment : sent === undefined ? [] : [sent];
  const lost = headers.filter((name) => target && wanted[0] !== undefined && name !== sent);
  const careful = lost.length === 0 ? [] : [`has more than one header; ${lost.join(', ')} will not be sent`];
  return {
    ...server,
    warnings: [...warnings, ...careful],
    credentials: wanted.map((name) => credentialRef(id, name)),
    state: null,
  };
}

/** The composed program in the test's own process, with its catalogue, for tests that go through all that can be called. */
import { type App, composeApp } from '../../src/app/compose.ts';
import type { Family } from '../../src/catalogue/family.ts';
import type { Config } from '../../src/config/keys.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import type { Grant } from '../../src/domain/governance/credentials.ts';
import type { Outcome, Target } from '../../src/gateway/request.ts';
import type { Clock } from '../../src/kernel/clock.ts';
import type { CredentialId, PrincipalId } from '../../src/kernel/ids.ts';
import { silentLog } from '../../src/kernel/log.ts';

export type Answer = Record<string, unknown>;

export interface WholeApp {
  readonly app: App;
  /** The outcome, whatever it is. */
  ask(who: Grant, target: Target, run?: string): Promise<Outcome>;
  /** The structured answer of a tool; throws what it was refused with. */
  call(who: Grant, name: string, input?: Answer): Promise<Answer>;
}

export async function openWholeApp(
  home: string,
  given: Partial<Config> = {},
  clock?: Clock,
  families: readonly Family[] = [],
): Promise<WholeApp> {
  const { config } = loadConfig(home, {}, given);
  return callsOf(await composeApp({ home, config, log: silentLog, families, ...(clock && { clock }) }));
}

/** One that indexes by meaning in the background as a server does. */
export async function openIndexingApp(home: string, given: Partial<Config>): Promise<WholeApp> {
  const { config } = loadConfig(home, {}, given);
  return callsOf(await composeApp({ home, config, log: silentLog, indexes: true }));
}

function callsOf(app: App): WholeApp {
  const ask = (grant: Grant, target: Target, run = 'test'): Promise<Outcome> =>
    app.gateway.call({ target, presented: { kind: 'grant', grant }, claims: { run }, source: 'test' });
  return {
    app,
    ask,
    async call(who, name, input = {}) {
      const outcome = await ask(who, { kind: 'tool', name, arguments: input });
      if (!outcome.ok) throw outcome.error;
      return outcome.answer.kind === 'tool' ? { ...outcome.answer.structured } : {};
    },
  };
}

const grantOf = (kind: 'author' | 'client', name: string, role: string, origin: Grant['origin']): Grant => ({
  credential: `in-process:${name}` as CredentialId,
  principal: { kind, id: `${kind}:${name}` as PrincipalId, name },
  role,
  scopes: null,
  workspace: null,
  origin,
  nameForm: 'dotted',
  surface: 'in-process',
});

export const owner: Grant = grantOf('author', 'ann', 'owner', 'authored');
/** Trusted to write, so that nothing but a permission stands in its way. */
export const editorNamed = (name: string): Grant => grantOf('client', name, 'editor', 'authored');

/** By default editors have the tools of some families; here of all. */
export async function letEditors({ call }: WholeApp): Promise<void> {
  await call(owner, 'policy.rule.add', {
    subject_type: 'role',
    subject: 'editor',
    pattern: '**',
    effect: 'allow',
    reason: 'test',
  });
}

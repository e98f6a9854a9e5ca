/** The admitted tools of providers as entries of the catalogue: same type, same gates, same pipeline as our own. */
import type { ActionContext } from '../../catalogue/call-context.ts';
import { Reply } from '../../catalogue/content.ts';
import type { Family } from '../../catalogue/family.ts';
import { jsonSchema } from '../../catalogue/json-schema.ts';
import { completeRegistration, type Effect } from '../../catalogue/registration.ts';
import type { Schema } from '../../catalogue/schema.ts';
import type { Tool } from '../../catalogue/tool-definition.ts';
import { approvalNeed } from '../../domain/providers/approval-need.ts';
import { refuseCredentials } from '../../domain/providers/credential-check.ts';
import { isInvokable } from '../../domain/providers/lifecycle.ts';
import type { Provider } from '../../domain/providers/ports/provider-store.ts';
import { type AllowedTool, type EffectClass, mostMsOf } from '../../domain/providers/profile.ts';
import { withProviderUris } from '../../domain/providers/provider-uris.ts';
import { readResult } from '../../domain/providers/result.ts';
import { nameOf, type Shown } from '../../domain/providers/surface.ts';
import { providerToolName } from '../../kernel/provider-names.ts';
import { passes, recordedVerdict, withheld } from './held-back.ts';
import { inItsWords } from './in-its-words.ts';
import type { ProviderFamilyMeans } from './means.ts';
import { labelOf, passOn } from './pass-on.ts';
import { withQuestions } from './relay-questions.ts';
import { requireShape } from './require-shape.ts';
import { upstreamRest } from './upstream-rest.ts';

/** Everything admitted; what is held stays callable by name so that its refusal says why, but is in no list. */
export function upstreamFamily(use: ProviderFamilyMeans, providers: readonly Provider[]): Family {
  const tools = providers.flatMap((provider) =>
    provider.profile.allowedTools.map((allowed) => upstreamTool(use, provider, allowed)),
  );
  return { name: 'providers', tools, ...upstreamRest(use, providers) };
}

function upstreamTool(use: ProviderFamilyMeans, provider: Provider, allowed: AllowedTool): Tool {
  const { profile, admitted, state } = provider;
  const shown = admitted?.tools.find((tool) => nameOf(tool) === allowed.name) ?? {};
  const annotations = (shown.annotations ?? {}) as Shown;
  const output = shown.outputSchema === undefined ? undefined : jsonSchema(shown.outputSchema as Shown);
  return {
    ...completeRegistration({
      name: providerToolName(profile.id, allowed.name),
      title: textOf(shown.title) ?? textOf(annotations.title) ?? allowed.name,
      summary: textOf(shown.description) ?? '',
      scopes: ['providers.call'],
      effect: EFFECTS[allowed.effect],
      needsWorkspace: false,
      server: profile.id,
      listed: isInvokable(state),
      // What cannot be called is refused with its reason, not asked about.
      approval: isInvokable(state) ? approvalNeed(allowed.effect, profile.trust) : 'never',
      staleSince: () => use.live.staleSince(profile.id),
      binding: [allowed.pin, profile.surfacePin, allowed.effect, profile.trust].join(' '),
      limits: {
        inputBytes: 1024 * 1024,
        outputBytes: 16 * 1024 * 1024,
        timeoutMs: mostMsOf(profile.limits) + 30_000,
      },
    }),
    kind: 'tool',
    family: 'providers',
    mode: 'action',
    input: withoutCredentials(profile.id, jsonSchema((shown.inputSchema ?? { type: 'object' }) as Shown)),
    ...(output && { output }),
    ...hintsOf(annotations, allowed.effect),
    example: {},
    handler: (input, call) => callUpstream(use, provider, allowed, output, input as Shown, call),
  };
}

/** As its server says, or worse: what it left unsaid is what the protocol takes it for. */
function hintsOf(said: Shown, effect: EffectClass): Pick<Tool, 'hints' | 'destructive' | 'idempotent'> {
  const reads = effect === 'READ_ONLY' || effect === 'SENSITIVE_READ';
  const readOnlyHint = reads && said.readOnlyHint === true;
  // The protocol asks whether something is destroyed only where something is changed.
  const destructive = readOnlyHint ? said.destructiveHint === true : said.destructiveHint !== false;
  const idempotent = said.idempotentHint === true;
  const openWorldHint = said.openWorldHint !== false || effect === 'EXTERNAL_SIDE_EFFECT';
  const hints = { readOnlyHint, destructiveHint: destructive, idempotentHint: idempotent, openWorldHint };
  return { hints, destructive, idempotent };
}

/** What carries a credential is refused with the arguments, before anybody is asked about them. */
const withoutCredentials = (provider: string, { json, check }: Schema): Schema => ({
  json,
  check(value) {
    refuseCredentials(provider, value);
    return check(value);
  },
});

async function callUpstream(
  use: ProviderFamilyMeans,
  { profile, admitted }: Provider,
  allowed: AllowedTool,
  output: Schema | undefined,
  input: Shown,
  call: ActionContext,
): Promise<Reply> {
  call.effect('none');
  const { run } = call.caller.context;
  call.sends(use.checkArguments(profile, input, run));
  const name = providerToolName(profile.id, allowed.name);
  const user = call.caller.principal.name;
  const raw = await inItsWords(use, profile, run, () =>
    withQuestions(use, profile, name, call, (means) =>
      use.live.call(profile.id, allowed.name, { ...means, input, user }),
    ),
  );
  const answer = readResult(profile.id, raw, admitted?.revision);
  const looked = await use.inspect(profile, answer, run, call.signal);
  requireShape(profile.id, output, looked);
  const result = { ...looked.result, content: withProviderUris(profile.id, looked.result.content) };
  const inspection = { ...looked, result };
  if (passes(inspection)) return passOn(use, profile, allowed, inspection, call);
  const label = labelOf(profile.id, inspection);
  const verdict = recordedVerdict(inspection);
  const reply = new Reply(result.content, result.isError, result.structured, verdict, label);
  throw withheld(profile.id, inspection, reply);
}

const EFFECTS: Readonly<Record<EffectClass, Effect>> = {
  READ_ONLY: 'read_only',
  LOCAL_SIDE_EFFECT: 'local_side_effect',
  EXTERNAL_SIDE_EFFECT: 'external_side_effect',
  SENSITIVE_READ: 'sensitive_read',
  UNSUPPORTED_EFFECT: 'unsupported_effect',
};

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

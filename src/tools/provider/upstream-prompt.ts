/** A prompt of a provider. Its words are the provider's own: one that gives the model orders holds the provider. */
import type { ReadContext } from '../../catalogue/call-context.ts';
import { Judged } from '../../catalogue/content.ts';
import type { Prompt, PromptArgument, PromptMessage } from '../../catalogue/prompt-definition.ts';
import type { Inspection } from '../../domain/providers/firewall/verdict.ts';
import type { Provider } from '../../domain/providers/ports/provider-store.ts';
import { withProviderUris } from '../../domain/providers/provider-uris.ts';
import { readMessages } from '../../domain/providers/rest-results.ts';
import { nameOf, type Shown } from '../../domain/providers/surface.ts';
import { passes, recordedVerdict, withheld } from './held-back.ts';
import { inItsWords } from './in-its-words.ts';
import type { ProviderFamilyMeans } from './means.ts';
import { labelOf } from './pass-on.ts';
import { withQuestions } from './relay-questions.ts';
import { suggestions } from './upstream-completion.ts';
import { textOf, upstreamRegistration } from './upstream-shape.ts';

export function upstreamPrompt(use: ProviderFamilyMeans, provider: Provider, name: string): Prompt {
  const { id } = provider.profile;
  const shown = provider.admitted?.prompts.find((prompt) => nameOf(prompt) === name) ?? {};
  const declared = argumentsOf(shown);
  return {
    ...upstreamRegistration(use, provider, `${id}.${name}`, shown),
    kind: 'prompt',
    mode: 'action',
    family: 'providers',
    arguments: declared,
    complete: Object.fromEntries(
      declared.map((argument) => [
        argument.name,
        suggestions(use, provider, { kind: 'prompt', name }, argument.name),
      ]),
    ),
    handler: (input, call) => getPrompt(use, provider, name, input, call),
  };
}

const argumentsOf = (shown: Shown): readonly PromptArgument[] =>
  ((shown.arguments ?? []) as readonly Shown[]).map((argument) => ({
    name: nameOf(argument),
    description: textOf(argument.description) ?? '',
    required: argument.required === true,
  }));

async function getPrompt(
  use: ProviderFamilyMeans,
  { profile }: Provider,
  name: string,
  input: Readonly<Record<string, string>>,
  call: ReadContext,
): Promise<Judged<readonly PromptMessage[]>> {
  const { run } = call.caller.context;
  call.sends(use.checkArguments(profile, input, run));
  const asked = { kind: 'prompt', name, arguments: input } as const;
  const user = call.caller.principal.name;
  const raw = await inItsWords(use, profile, run, () =>
    withQuestions(use, profile, `${profile.id}.${name}`, call, (means) =>
      use.live.ask(profile.id, asked, { ...means, user }),
    ),
  );
  const messages = readMessages(profile.id, raw);
  const content = messages.map((message) => message.content);
  const inspection = asSuggestion(
    await use.inspect(profile, { content, structured: undefined, isError: false }, run, call.signal),
  );
  const poisoned = isPoisoned(inspection);
  if (poisoned) {
    const rules = inspection.findings.map(({ rule }) => rule).slice(0, 20);
    await use.act('provider.quarantine_for_poison', { id: profile.id, prompt: name, rules });
  }
  const passed = withProviderUris(profile.id, inspection.result.content);
  const value = messages.flatMap(({ role }, at) => {
    const block = passed[at];
    return block ? [{ role, content: block }] : [];
  });
  const judged = new Judged(value, labelOf(profile.id, inspection), recordedVerdict(inspection));
  if (passes(inspection)) return judged;
  throw withheld(profile.id, inspection, judged, poisoned ? `, and "${profile.id}" is in quarantine` : '');
}

/** A prompt proposes what to say; whatever comes of it is called, and decided about, like anything else. */
const asSuggestion = (inspection: Inspection): Inspection =>
  inspection.verdict === 'ACCEPTED_OBSERVATION'
    ? { ...inspection, verdict: 'ACCEPTED_SUGGESTION' }
    : inspection;

const ORDERS = ['PROMPT_INJECTION', 'TOOL_POISONING', 'UNSAFE_ACTION'];

const isPoisoned = ({ findings }: Inspection): boolean =>
  findings.some(
    ({ action, family }) => ORDERS.includes(family) && (action === 'withhold' || action === 'block'),
  );

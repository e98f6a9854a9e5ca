/** Somebody who fills in every form that a provider passes on, with what fits; each call is made anew with the answers. */
import type { ActionContext } from '../../../src/catalogue/call-context.ts';
import { type InputAnswers, InputNeeded, type InputRequests } from '../../../src/catalogue/input-request.ts';
import type { SendMeans } from '../../../src/domain/providers/asking-call.ts';
import { createProviderFirewall } from '../../../src/domain/providers/firewall/provider-firewall.ts';
import { DEFAULT_RULES } from '../../../src/domain/providers/firewall/rules.ts';
import type { ProviderProfile } from '../../../src/domain/providers/profile.ts';
import type { Shown } from '../../../src/domain/providers/surface.ts';
import { WaitingCalls } from '../../../src/domain/providers/waiting-calls.ts';
import type { ProviderFamilyMeans } from '../../../src/tools/provider/means.ts';
import { withQuestions } from '../../../src/tools/provider/relay-questions.ts';
import { sampleOf } from './sample-of.ts';

/** Nothing the suite asks is long. */
const longAnswers = { inspect: () => Promise.reject(new Error('too long')) };
const firewall = createProviderFirewall(() => DEFAULT_RULES, longAnswers);

const use = { ...firewall, waiting: new WaitingCalls() } as unknown as ProviderFamilyMeans;
const caller = { principal: { id: 'somebody' }, context: { run: 'suite' } };

export async function sayingYes(
  profile: ProviderProfile,
  entry: string,
  send: (means: SendMeans) => Promise<Shown>,
): Promise<Shown> {
  let [answers, state]: [InputAnswers, unknown] = [{}, undefined];
  for (let round = 0; ; round += 1) {
    const call = {
      callId: `${entry} ${round}`,
      answers,
      state,
      caller,
      signal: new AbortController().signal,
      can: () => true,
      progress: () => undefined,
      effect: () => undefined,
      sends: () => undefined,
      ask(requests: InputRequests, left: unknown) {
        throw new InputNeeded(requests, left);
      },
    };
    try {
      return await withQuestions(use, profile, entry, call as unknown as ActionContext, send);
    } catch (error) {
      if (!(error instanceof InputNeeded)) throw error;
      [answers, state] = [answersTo(error.requests), error.state];
    }
  }
}

const answersTo = (requests: InputRequests): InputAnswers =>
  Object.fromEntries(
    Object.entries(requests).map(([key, asked]) => [
      key,
      { action: 'accept', content: asked.kind === 'form' ? sampleOf(asked.schema) : {} },
    ]),
  );

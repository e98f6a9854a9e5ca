/** Somebody who fills in every form that a provider passes on, with what fits; each call is made anew with the answers. */
import type { ActionContext } from '../../../src/catalogue/call-context.ts';
import { type InputAnswers, InputNeeded, type InputRequests } from '../../../src/catalogue/input-request.ts';
import { createProviderFirewall } from '../../../src/domain/providers/firewall/provider-firewall.ts';
import { DEFAULT_RULES } from '../../../src/domain/providers/firewall/rules.ts';
import type { Asking } from '../../../src/domain/providers/ports/upstream.ts';
import type { ProviderProfile } from '../../../src/domain/providers/profile.ts';
import type { Shown } from '../../../src/domain/providers/surface.ts';
import { withQuestions } from '../../../src/tools/provider/relay-questions.ts';
import { sampleOf } from './sample-of.ts';

/** Nothing the suite asks is long. */
const longAnswers = { inspect: () => Promise.reject(new Error('too long')) };
const firewall = createProviderFirewall(() => DEFAULT_RULES, longAnswers);

export async function sayingYes(
  profile: ProviderProfile,
  send: (asking: Asking) => Promise<Shown>,
): Promise<Shown> {
  let [answers, state]: [InputAnswers, unknown] = [{}, undefined];
  for (;;) {
    const call = {
      answers,
      state,
      caller: { context: { run: 'suite' } },
      can: () => true,
      ask(requests: InputRequests, left: unknown) {
        throw new InputNeeded(requests, left);
      },
    };
    try {
      return await withQuestions(firewall, profile, call as unknown as ActionContext, send);
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

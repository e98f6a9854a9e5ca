/** Part of step 12: a call that was given up to ask for something comes again with answers and what was left. */

import type { Clock } from '../../kernel/clock.ts';
import type { SecretBox } from '../../kernel/ports/secret-box.ts';
import { openState, type StateBinding } from '../call-state.ts';
import type { Admitted, Resumed } from '../stages.ts';

const FRESH: Resumed = { answers: {}, state: undefined };

export function resume(
  use: { readonly secrets: SecretBox; readonly clock: Clock },
  admitted: Admitted,
  inputDigest: string,
): Resumed {
  const { request, draft } = admitted;
  if (!request.resume) return FRESH;
  const { answers, state } = request.resume;
  if (state === undefined) return { answers, state };
  draft.refusedBy('request_state');
  const left = openState(use.secrets, use.clock.now(), bindingOf(admitted, inputDigest), state);
  draft.resumes(left.call);
  return {
    answers,
    state: left.state,
    call: left.call,
    ...(left.approval !== undefined && { approval: left.approval }),
  };
}

export function bindingOf({ caller, entry }: Admitted, inputDigest: string): StateBinding {
  return { principal: caller.principal.id, kind: entry.kind, name: entry.name, inputDigest };
}

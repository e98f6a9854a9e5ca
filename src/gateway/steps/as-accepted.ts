/** A call that was kept for review and accepted, as step 15 takes it: the proposer's words under the author's right. */
import { decide } from '../../domain/governance/decision.ts';
import { AcceptedCall } from '../../kernel/accepted-call.ts';
import { SluiceError } from '../../kernel/errors.ts';
import type { Submission } from '../../kernel/submission.ts';
import type { Gate } from '../means.ts';
import type { Submitted } from '../stages.ts';
import { toolInput } from './validate-input.ts';

export function asAccepted(use: Gate, submitted: Submitted, call: AcceptedCall): Submitted {
  const { bound, caller: reviewer } = submitted;
  if (!bound) throw new SluiceError('internal', 'A kept call was to be carried out outside of a unit');
  const { kept, by, callId } = AcceptedCall.open(call, bound.scope);
  const entry = use.catalogue.tool(kept.tool);
  const { policy } = use.governance.current();
  if (!entry?.write || !decide(policy, by, entry).allowed) {
    throw new SluiceError('conflict', `The proposal needs ${kept.tool}, which you cannot use`, {
      reason: 'tool',
      tool: kept.tool,
    });
  }
  const input = toolInput(entry, kept.arguments);
  const { kind, contentArgument } = entry.write;
  const { workspace } = reviewer.context;
  const submission: Submission = {
    kind,
    callId: kept.callId,
    tool: kept.asked,
    caller: kept.caller,
    ...(workspace && { workspace }),
    sight: bound.sight,
    readOnly: bound.readOnly,
    origin: kept.origin,
    lifecycle: 'canonical',
    ...(contentArgument !== undefined && { content: input[contentArgument] }),
    derivedFrom: kept.derivedFrom,
    at: submitted.submission?.at ?? use.clock.now(),
    accepted: {
      by,
      proposal: kept.proposal,
      callId,
      entities: kept.entities,
      despiteChanges: kept.despiteChanges,
    },
  };
  return { ...submitted, entry, input, submission, ticket: use.mint.land(bound.scope, submission) };
}

/** Step 1: a call that cannot be recorded does not happen. */
import type { CallId } from '../../kernel/ids.ts';
import { AuditDraft } from '../audit-draft.ts';
import type { Gate } from '../means.ts';
import { unrecordable } from '../record-refused.ts';
import type { CallRequest, Outcome, Target } from '../request.ts';
import { beginCall, type Opened } from '../stages.ts';

export function openAudit(use: Gate, request: CallRequest): Opened | Outcome {
  const callId = use.ids.next<CallId>();
  try {
    use.audit.reserve();
  } catch (error) {
    return { ok: false, callId, error: unrecordable('The call was not made', error) };
  }
  const { target, presented } = request;
  const surface = presented.kind === 'bearer' ? presented.surface : presented.grant.surface;
  return beginCall(request, new AuditDraft(callId, use.clock.now(), target.kind, nameOf(target), surface));
}

function nameOf(target: Target): string {
  const named = target.kind === 'completion' ? target.of : target;
  return 'uri' in named ? named.uri : named.name;
}

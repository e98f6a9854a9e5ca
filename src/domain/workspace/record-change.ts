/** Puts what a landed submission did into the workspace's log, as one change; answers its number. */
import type { WorkspaceId } from '../../kernel/ids.ts';
import type { Acceptance, Submission } from '../../kernel/submission.ts';
import type { Landing } from '../../kernel/ticket.ts';
import type { WorkspaceMeans } from './means.ts';
import type { EventActor, NewEvent } from './ports/event-log.ts';

export async function recordChange(
  use: Pick<WorkspaceMeans, 'events'>,
  { tx, submission }: Landing,
  workspace: WorkspaceId,
  events: readonly NewEvent[],
): Promise<number> {
  const { accepted } = submission;
  const told = accepted
    ? events.map((event) => ({ ...event, details: { ...event.details, accepted: yesOf(accepted) } }))
    : events;
  return use.events.append(tx, workspace, actorOf(submission), submission.at, told);
}

/** Who let in what somebody else wrote. */
const yesOf = ({ by, proposal, callId }: Acceptance) => ({
  by: by.principal.name,
  proposal,
  call: callId,
});

function actorOf(submission: Submission): EventActor {
  const { caller, callId, tool, origin } = submission;
  return {
    call: callId,
    run: caller.context.run,
    principal: caller.principal.id,
    principalName: caller.principal.name,
    tool,
    origin,
  };
}

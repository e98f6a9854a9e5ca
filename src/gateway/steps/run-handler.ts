/** Step 15: the only place where a handler is called, under the call's deadline and cancellation. */
import type { LogLevel, WriteContext } from '../../catalogue/call-context.ts';
import { type Ability, InputNeeded, type InputRequests } from '../../catalogue/input-request.ts';
import type { AcceptedCall } from '../../kernel/accepted-call.ts';
import type { Gate } from '../means.ts';
import type { Handled, Submitted } from '../stages.ts';
import { asAccepted } from './as-accepted.ts';

export async function runHandler(use: Gate, submitted: Submitted): Promise<Handled> {
  const { slot } = submitted;
  slot.throwIfEnded();
  const work = callHandler(use, submitted);
  // A unit ends by itself: its transaction refuses every further statement once the signal fires.
  const output = submitted.tx ? await work : await slot.race(work);
  slot.throwIfEnded();
  return { ...submitted, output };
}

function callHandler(use: Gate, submitted: Submitted): Promise<unknown> {
  const { entry, input, request } = submitted;
  const context = contextOf(use, submitted);
  if (request.target.kind === 'subscription') return followed(submitted);
  if (request.target.kind === 'completion') {
    const { argument, value, others } = request.target;
    const complete =
      entry.kind !== 'tool' && Object.hasOwn(entry.complete, argument) ? entry.complete[argument] : undefined;
    return complete ? complete(value, others, context) : Promise.resolve([]);
  }
  switch (entry.kind) {
    case 'tool':
      return entry.handler(input, context);
    case 'resource':
      return entry.handler(input as Readonly<Record<string, string>>, context);
    case 'prompt':
      return entry.handler(input as Readonly<Record<string, string>>, context);
  }
}

async function followed({ entry, variables, caller, read }: Submitted): Promise<string | null | undefined> {
  const { workspace } = caller.context;
  if (entry.kind !== 'resource' || !entry.follows || !workspace || !read) return undefined;
  return entry.follows(variables, workspace, read);
}

/** Carries exactly what the tool's mode entitles it to; the wider type is what `defineTool` narrowed. */
function contextOf(use: Gate, submitted: Submitted): WriteContext {
  const { caller, draft, slot, noted, request, read, ticket, resumed } = submitted;
  const context = {
    caller,
    callId: draft.callId,
    at: use.clock.now(),
    get signal() {
      return slot.signal;
    },
    progress: (step: Parameters<WriteContext['progress']>[0]) => {
      if (!slot.ended) request.onProgress?.(step);
    },
    log: (level: LogLevel, data: unknown) => {
      if (!slot.signal.aborted) request.onLog?.({ level, data });
    },
    can: (ability: Ability) => request.abilities?.includes(ability) ?? false,
    ask: (requests: InputRequests, state?: unknown) => {
      throw new InputNeeded(requests, state);
    },
    answers: resumed.answers,
    state: resumed.state,
    noteRead: (entity: Parameters<WriteContext['noteRead']>[0]) => {
      noted.push(entity);
    },
    ...(read && { read }),
    ...(ticket && {
      ticket,
      carryOut: (call: AcceptedCall) => callHandler(use, asAccepted(use, submitted, call)),
    }),
  };
  return context as WriteContext;
}

/** Step 15: the only place where a handler is called, under the call's deadline and cancellation. */
import type { WriteContext } from '../../catalogue/call-context.ts';
import type { Gate } from '../means.ts';
import type { Handled, Submitted } from '../stages.ts';

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
  const { entry, input } = submitted;
  const context = contextOf(use, submitted);
  switch (entry.kind) {
    case 'tool':
      return entry.handler(input, context);
    case 'resource':
      return entry.handler(input as Readonly<Record<string, string>>, context);
    case 'prompt':
      return entry.handler(input as Readonly<Record<string, string>>, context);
  }
}

/** Carries exactly what the tool's mode entitles it to; the wider type is what `defineTool` narrowed. */
function contextOf(use: Gate, submitted: Submitted): WriteContext {
  const { caller, draft, slot, noted, request, read, ticket } = submitted;
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
    noteRead: (entity: Parameters<WriteContext['noteRead']>[0]) => {
      noted.push(entity);
    },
    ...(read && { read }),
    ...(ticket && { ticket }),
  };
  return context as WriteContext;
}

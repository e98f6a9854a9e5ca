/** Step 15: the only place where a handler is called, under the call's deadline and cancellation. */
import type { AcceptedCall } from '../../kernel/accepted-call.ts';
import { contextOf } from '../handler-context.ts';
import type { Gate } from '../means.ts';
import { type Handled, learn, type Submitted } from '../stages.ts';
import { asAccepted } from './as-accepted.ts';

export async function runHandler(use: Gate, submitted: Submitted): Promise<Handled> {
  const { slot } = submitted;
  slot.throwIfEnded();
  const work = callHandler(use, submitted);
  // A unit ends by itself: its transaction refuses every further statement once the signal fires.
  const output = submitted.tx ? await work : await slot.race(work);
  slot.throwIfEnded();
  return learn(submitted, 'output', output);
}

function callHandler(use: Gate, submitted: Submitted): Promise<unknown> {
  const { entry, input, request } = submitted;
  const context = contextOf(submitted, use.clock.now(), submitted.ticket && carriesOut(use, submitted));
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

/** Only inside of a unit: what was accepted lands with the yes to it. */
const carriesOut = (use: Gate, submitted: Submitted) => (call: AcceptedCall) =>
  callHandler(use, asAccepted(use, submitted, call));

async function followed({ entry, variables, caller, read }: Submitted): Promise<string | null | undefined> {
  const { workspace } = caller.context;
  if (entry.kind !== 'resource' || !entry.follows || !workspace || !read) return undefined;
  return entry.follows(variables, workspace, read);
}

/**
 * Part of step 5: a call of what only leads to other tools becomes the call it means, before anything is decided about
 * it. From here on nothing but the record tells it from a call by name.
 */
import { decide } from '../../domain/governance/decision.ts';
import type { Gate } from '../means.ts';
import type { Target } from '../request.ts';
import { learn, type Sized } from '../stages.ts';
import { isThere } from '../visible-entries.ts';

export function callThrough(use: Gate, sized: Sized): Sized {
  const { request, caller, draft } = sized;
  const { target } = request;
  const forwarder = target.kind === 'tool' ? use.catalogue.tool(target.name) : undefined;
  if (target.kind !== 'tool' || !forwarder?.forwards) return sized;
  const { policy } = use.governance.current();
  // Who may not use it is refused by its own gates, and what names nothing by its own input.
  if (!isThere(use, forwarder, caller) || !decide(policy, caller, forwarder).allowed) return sized;
  const meant = meantBy(target.arguments);
  if (!meant || use.catalogue.tool(meant.name)?.forwards) return sized;
  draft.reachedBy(forwarder.name, meant.name);
  // What the transport repeats are arguments of the call as it was sent.
  return learn(sized, 'request', { ...request, target: meant, mirrored: undefined });
}

function meantBy(given: unknown): (Target & { readonly kind: 'tool' }) | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const { name, arguments: inner } = given as Readonly<Record<string, unknown>>;
  return typeof name === 'string' && name !== ''
    ? { kind: 'tool', name, arguments: typeof inner === 'string' ? parsed(inner) : inner }
    : undefined;
}

/** Some clients send objects as JSON text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

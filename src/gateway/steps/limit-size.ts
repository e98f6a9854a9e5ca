/** Step 4: nothing larger or deeper than a request may be is looked at any further. */
import { SluiceError } from '../../kernel/errors.ts';
import type { Gate } from '../means.ts';
import type { Target } from '../request.ts';
import { learn, type Resolved, type Sized } from '../stages.ts';

export function limitSize(use: Gate, resolved: Resolved): Sized {
  const { target, bytes } = resolved.request;
  const { requestBytes, requestDepth } = use.limits;
  if (!isWithinDepth(argumentsOf(target), requestDepth)) {
    throw new SluiceError('invalid_request', `The arguments are nested deeper than ${requestDepth} levels`);
  }
  const inputBytes = bytes ?? measure(target);
  if (inputBytes > requestBytes) {
    throw new SluiceError(
      'payload_too_large',
      `The call has ${inputBytes} bytes, at most ${requestBytes} are taken`,
    );
  }
  return learn(resolved, 'inputBytes', inputBytes);
}

function argumentsOf(target: Target): unknown {
  if ('uri' in target) return target.uri;
  return target.kind === 'completion'
    ? { [target.argument]: target.value, ...target.others }
    : target.arguments;
}

/** Of the arguments alone. */
export function measure(target: Target): number {
  return Buffer.byteLength(jsonOf(argumentsOf(target)) ?? '');
}

/** In process anything can be handed over, a big integer for example. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    throw new SluiceError('invalid_request', `The arguments are not JSON: ${(error as Error).message}`);
  }
}

/** Walks with its own stack: the value may be deep enough to overflow ours. */
function isWithinDepth(value: unknown, limit: number): boolean {
  const pending: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (typeof next.value !== 'object' || next.value === null) continue;
    if (next.depth >= limit) return false;
    for (const inner of Object.values(next.value)) pending.push({ value: inner, depth: next.depth + 1 });
  }
  return true;
}

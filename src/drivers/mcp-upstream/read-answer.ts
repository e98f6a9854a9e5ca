/** A server's answer to a request: its result, or what is wrong with it. */
import { UpstreamFailure } from '../../domain/providers/ports/upstream.ts';
import { RELAYS, type Relay } from '../../domain/providers/profile.ts';
import { isShown, type Shown } from '../../domain/providers/surface.ts';
import { MISSING_CAPABILITY } from './protocol.ts';
import type { Message } from './wire.ts';

/** Deeper than anybody writes, and not so deep that looking through it becomes a danger. */
const MAX_DEPTH = 200;

export function readAnswer(message: Message): Shown | UpstreamFailure {
  if (isDeeperThan(message, MAX_DEPTH))
    return new UpstreamFailure('too_large', `It answered with more than ${MAX_DEPTH} levels`, true);
  const { result, error } = message;
  if (isShown(result)) return result;
  if (!isShown(error))
    return new UpstreamFailure('invalid', 'It answered with neither a result nor an error', true);
  const code = typeof error.code === 'number' ? error.code : undefined;
  const wants = code === MISSING_CAPABILITY ? wantedBy(error.data) : undefined;
  return new UpstreamFailure(
    'refused',
    'It answered with an error',
    true,
    typeof error.message === 'string' ? error.message : undefined,
    code,
    wants,
  );
}

/** Of what we know; nothing else can be asked for. */
function wantedBy(data: unknown): readonly Relay[] {
  const wanted = isShown(data) && isShown(data.requiredCapabilities) ? data.requiredCapabilities : {};
  return RELAYS.filter((relay) => Object.hasOwn(wanted, relay));
}

export const isDeeperThan = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1)));

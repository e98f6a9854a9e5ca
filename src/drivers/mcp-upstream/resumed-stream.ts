/**
 * An answer whose stream a server ends before it is whole and wants to be asked for again later (older revisions): the
 * stream is taken up where it ended, after as long as the server said.
 */
import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { UpstreamFailure } from '../../domain/providers/ports/upstream.ts';
import type { StreamEnd } from './read-events.ts';

const MAX_RESUMES = 16;
const DEFAULT_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

export interface Resuming {
  readonly signal: AbortSignal | undefined;
  /** Reads a stream to its end; undefined when what was waited for has come. */
  read(answer: IncomingMessage): Promise<StreamEnd | undefined>;
  /** Asks for what came after the event with this id. */
  reopen(lastEventId: string): Promise<IncomingMessage>;
}

export async function readResumable(answer: IncomingMessage, use: Resuming): Promise<void> {
  let end = await use.read(answer);
  for (let round = 0; end?.lastId !== undefined && round < MAX_RESUMES; round += 1) {
    await pause(Math.min(end.retryMs ?? DEFAULT_WAIT_MS, LONGEST_WAIT_MS), use.signal);
    const next = await use.reopen(end.lastId);
    if (next.statusCode !== 200) {
      next.resume();
      return;
    }
    const later = await use.read(next);
    end = later && { ...end, ...later };
  }
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await wait(ms, undefined, signal && { signal });
  } catch {
    throw new UpstreamFailure('cancelled', 'The call was given up', true);
  }
}

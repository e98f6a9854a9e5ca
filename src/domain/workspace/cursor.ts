/** Cursors: opaque to callers, checked when they come back. One that is not ours is an error, never page one. */
import type { z } from 'zod';
import { invalidInput } from '../../kernel/errors.ts';

export function writeCursor(place: Readonly<Record<string, unknown>>): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

export function readCursor<S extends z.ZodType>(cursor: string, shape: S): z.output<S> {
  let place: unknown;
  try {
    place = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  const answer = shape.safeParse(place);
  if (answer.success) return answer.data;
  throw invalidInput('cursor', 'must be a next_cursor from the same kind of call');
}

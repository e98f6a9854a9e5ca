/** Reads on in an answer that was kept: only for whom it was kept, only while its provider may be called. */
import { invalidInput, SluiceError } from '../../../kernel/errors.ts';
import type { ReadScope } from '../../../kernel/ports/unit-of-work.ts';
import { isInvokable } from '../lifecycle.ts';
import type { AnswerPart, AnswerStore, KeptAnswer } from '../ports/answer-store.ts';
import type { ProviderDirectory } from '../provider-directory.ts';
import { stateRefusal } from '../refusals.ts';
import { KEEP_ANSWERS_MS } from './keep-answer.ts';
import type { SealedPartMeans } from './sealed-parts.ts';

export interface ReadAnswerMeans extends SealedPartMeans {
  readonly answers: AnswerStore;
  readonly directory: Pick<ProviderDirectory, 'find'>;
}

export async function findAnswer(
  use: ReadAnswerMeans,
  scope: ReadScope,
  principal: string,
  handle: string,
  now: number,
): Promise<KeptAnswer> {
  const found = await use.answers.find(scope, handle);
  const provider = found && use.directory.find(found.provider);
  if (!found || !provider || found.principal !== principal || found.createdAt < now - KEEP_ANSWERS_MS)
    throw noSuchResult(handle);
  if (!isInvokable(provider.state)) throw stateRefusal(provider);
  return found;
}

/** In the same words whoever's it is, whether it ever was, and however long ago. */
export const noSuchResult = (handle: string): SluiceError =>
  new SluiceError('not_found', `There is no result "${handle.slice(0, 100)}"; results are kept for a day`, {
    field: 'handle',
  });

export function partNamed({ parts }: KeptAnswer, name: string | undefined): AnswerPart {
  const part = name === undefined ? parts[0] : parts.find((one) => one.name === name);
  if (part) return part;
  throw invalidInput('part', `must be one of ${parts.map((one) => one.name).join(', ')}`);
}

export interface TextPage {
  readonly text: string;
  readonly offset: number;
  /** Null at the end. */
  readonly next: number | null;
}

/** Offsets are bytes; a page begins and ends between characters, wherever it was asked for. */
export function textPage(bytes: Buffer, offset: number, length: number): TextPage {
  if (offset > bytes.length) throw invalidInput('offset', `must be at most ${bytes.length}`);
  const from = nextCharacter(bytes, offset);
  const end = from + length;
  const to = end >= bytes.length ? bytes.length : previousCharacter(bytes, end);
  return {
    text: bytes.subarray(from, to).toString('utf8'),
    offset: from,
    next: to >= bytes.length ? null : to,
  };
}

const isInside = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

function nextCharacter(bytes: Uint8Array, at: number): number {
  let place = at;
  while (isInside(bytes[place])) place += 1;
  return place;
}

function previousCharacter(bytes: Uint8Array, at: number): number {
  let place = at;
  while (place > 0 && isInside(bytes[place])) place -= 1;
  return place;
}

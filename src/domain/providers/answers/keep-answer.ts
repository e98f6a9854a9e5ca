/** Keeps an answer that was too long for the one it was for, within bounds of time, number and size. */
import type { BlobStore } from '../../../kernel/ports/blob-store.ts';
import type { WriteTx } from '../../../kernel/ports/unit-of-work.ts';
import { requireTicket, type WriteTicket } from '../../../kernel/ticket.ts';
import { requireSystem } from '../move-provider.ts';
import type { AnswerStore, KeptAnswer } from '../ports/answer-store.ts';

export const KEEP_ANSWERS_MS = 24 * 60 * 60 * 1000;
const PER_PRINCIPAL = 50;
const BYTES_IN_ALL = 256 * 1024 * 1024;

export interface AnswerMeans {
  readonly answers: AnswerStore;
  readonly blobs: Pick<BlobStore, 'remove'>;
}

/** Only Sluice itself keeps answers; nobody can tell it that one was theirs. */
export async function keepAnswer(
  use: AnswerMeans,
  ticket: WriteTicket,
  answer: Omit<KeptAnswer, 'createdAt'>,
): Promise<KeptAnswer> {
  const { tx, submission } = requireTicket(ticket, 'provider', 'land');
  requireSystem(submission);
  const kept = { ...answer, createdAt: submission.at };
  await use.answers.put(tx, kept);
  await trimAnswers(use, tx, submission.at);
  return kept;
}

/** Sealed bytes are nobody else's, so they go with what referred to them. */
export async function trimAnswers(use: AnswerMeans, tx: WriteTx, now: number): Promise<void> {
  const bounds = {
    before: now - KEEP_ANSWERS_MS,
    perPrincipal: PER_PRINCIPAL,
    bytesInAll: BYTES_IN_ALL,
  };
  const free = await use.answers.trim(tx, bounds);
  tx.afterCommit(async () => {
    for (const digest of free) await use.blobs.remove(digest);
  });
}

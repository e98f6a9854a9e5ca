/** How proposals look in the answers of this family. */
import { z } from 'zod';
import type { ListedProposal } from '../../domain/workspace/proposals/list-proposals.ts';
import { sayPages } from '../../domain/workspace/proposals/page-counts.ts';
import { PROPOSAL_STATES } from '../../domain/workspace/proposals/proposal.ts';
import type { SluiceError } from '../../kernel/errors.ts';
import { ORIGINS } from '../../kernel/submission.ts';
import { isoTime } from './page-shape.ts';

export const proposalArgument = z.string().min(1).max(200).describe('The id of a proposal');

export const runArgument = z
  .string()
  .min(1)
  .max(1_000)
  .optional()
  .describe('Everything that one run left to decide, instead of one proposal');

export const runLimitArgument = z
  .int()
  .min(1)
  .max(500)
  .default(100)
  .describe('With run: how many are decided at once');

export const listedProposal = {
  id: z.string(),
  op: z.string().describe('The tool that was called; create_page for a new page that waits to be canonical'),
  page: z.string().nullable().describe('The id of the page it is about'),
  title: z.string().nullable(),
  path: z.string().nullable(),
  version: z.string().nullable().describe('Of the page, now'),
  trashed: z.boolean(),
  run: z.string(),
  caller: z.string(),
  role: z.string(),
  origin: z.enum(ORIGINS),
  summary: z.string(),
  overlaps: z.boolean().describe('It cannot land as things are now: the same place was changed'),
  state: z.enum(PROPOSAL_STATES),
  created_at: z.string(),
  expires_at: z.string().nullable(),
  decided_at: z.string().nullable(),
  decided_by: z.string().nullable(),
  note: z.string().nullable().describe('Why it was rejected, or what was noted with the yes'),
};

export function describeProposal({ entry, state, page, path, counts, overlaps }: ListedProposal) {
  const { decided } = entry;
  return {
    id: entry.id,
    op: entry.op,
    page: entry.page,
    title: page?.title ?? null,
    path: page && page.trashBatch === null ? (path ?? null) : null,
    version: page?.version ?? null,
    trashed: page !== undefined && page.trashBatch !== null,
    run: entry.by.run,
    caller: entry.by.principal.name,
    role: entry.by.role,
    origin: entry.origin,
    summary: sayPages(entry.summary, counts),
    overlaps,
    state,
    created_at: isoTime(entry.createdAt),
    expires_at: entry.expiresAt === null ? null : isoTime(entry.expiresAt),
    decided_at: decided && isoTime(decided.at),
    decided_by: decided?.byName ?? null,
    note: decided?.note ?? null,
  };
}

/** Of one proposal in a batch that could not be decided. */
export const failure = z.object({
  code: z.string(),
  message: z.string(),
  reason: z.string().optional(),
});

export const describeFailure = ({ code, message, details }: SluiceError) => ({
  code,
  message,
  ...(typeof details.reason === 'string' && { reason: details.reason }),
});

/** One proposal, as somebody has to see it who is to accept it. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { describeChange } from '../../domain/workspace/describe-change.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { MAX_CONTENT_BYTES } from '../../domain/workspace/page.ts';
import {
  type ProposalReading,
  readProposal as read,
  type TextInReview,
} from '../../domain/workspace/proposals/read-proposal.ts';
import { shortDiff } from '../../domain/workspace/unified-diff.ts';
import { workspaceOf } from './page-shape.ts';
import { describeProposal, listedProposal, proposalArgument } from './proposal-shape.ts';

const textShape = z.object({
  diff: z.string().describe('From the base to what was proposed, as a unified diff'),
  lines_added: z.int(),
  lines_removed: z.int(),
  moved_on: z.boolean().describe('The page has another text by now'),
  overlaps: z.boolean().describe('The same place was changed since; accepting needs content of your own'),
  landing_diff: z
    .string()
    .optional()
    .describe('From the page as it is now to what would land; absent when it is the same or overlaps'),
  content: z.string().optional().describe('What would land, or what was proposed where that overlaps'),
  conflicts: z.array(z.object({ base: z.string(), head: z.string(), yours: z.string() })),
});

export const readProposal = defineTool({
  name: 'read_proposal',
  title: 'Read a proposal',
  summary:
    'Shows a proposal: what was asked for, by whom, from which sources, the diff against its base, and whether it still fits the page as it is now.',
  scopes: ['workspace.read'],
  effect: 'read_only',
  sandboxEligible: true,
  limits: { outputBytes: 16 * MAX_CONTENT_BYTES },
  example: { proposal: '0198…' },
  input: z.object({
    proposal: proposalArgument,
    content: z.boolean().default(false).describe('Answer the whole text as well, to edit it'),
  }),
  output: z.object({
    ...listedProposal,
    thread: z.string().nullable(),
    call: z.string(),
    arguments: z.record(z.string(), z.unknown()).describe('As proposed, without the text'),
    base_version: z.string().nullable(),
    head_version: z.string().nullable().describe('Of the page, now; give it with content to accept_proposal'),
    pages: z.array(z.object({ page: z.string(), version: z.string(), removed: z.boolean() })),
    text: textShape.optional(),
    sources: z.array(z.object({ page: z.string(), version: z.string(), changed_since: z.boolean() })),
  }),
  async handler(use: WorkspaceMeans, input, call) {
    const reading = await read(use, call.read, workspaceOf(call), input.proposal, call.at);
    const { page, proposal, text } = reading;
    if (page && text) call.noteRead({ kind: 'page', id: page.id, version: page.version });
    const { content: _, ...given } = proposal.arguments;
    return {
      ...describeProposal(reading),
      thread: proposal.by.thread,
      call: proposal.by.call,
      arguments: given,
      base_version: reading.baseVersion,
      head_version: page?.version ?? null,
      pages: concernsOf(reading),
      ...(text && { text: describeText(text, input.content) }),
      sources: reading.sources.map(({ id, version, changedSince }) => ({
        page: id,
        version,
        changed_since: changedSince,
      })),
    };
  },
});

const CONCERNS_SHOWN = 100;

const concernsOf = ({ proposal }: ProposalReading) =>
  proposal.concerns
    .slice(0, CONCERNS_SHOWN)
    .map(({ id, version, removed }) => ({ page: id, version, removed: removed ?? false }));

function describeText({ base, proposed, head, merged, conflicts }: TextInReview, whole: boolean) {
  const { lines_added, lines_removed } = describeChange(base, proposed);
  const landing = merged === undefined || head === base ? undefined : shortDiff(head, merged);
  return {
    diff: shortDiff(base, proposed),
    lines_added,
    lines_removed,
    moved_on: head !== base && head !== proposed,
    overlaps: merged === undefined,
    ...(landing !== undefined && { landing_diff: landing }),
    ...(whole && { content: merged ?? proposed }),
    conflicts: [...conflicts.slice(0, 20)],
  };
}

/** One proposal, as somebody has to see it who is to accept it. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { describeChange } from '../../domain/workspace/describe-change.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { MAX_CONTENT_BYTES } from '../../domain/workspace/page.ts';
import type { OtherChange } from '../../domain/workspace/ports/other-candidates.ts';
import type { ConcernedPage } from '../../domain/workspace/proposals/concerned-pages.ts';
import { type Part, partOf, type Whole } from '../../domain/workspace/proposals/part-of-reading.ts';
import {
  type ProposalReading,
  readProposal as read,
  type TextInReview,
} from '../../domain/workspace/proposals/read-proposal.ts';
import { shownArguments } from '../../domain/workspace/proposals/shown-arguments.ts';
import type { ShownFact } from '../../domain/workspace/proposals/shown-facts.ts';
import { unifiedDiff } from '../../domain/workspace/unified-diff.ts';
import { cursorArgument, maxTokensArgument, nextCursor, workspaceOf } from './page-shape.ts';
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
  content: z
    .string()
    .optional()
    .describe(
      'What would land; where that overlaps, the text of the page with what fits, and both texts between <<<<<<< and >>>>>>> for you to decide',
    ),
  conflicts: z.array(z.object({ base: z.string(), head: z.string(), yours: z.string() })),
});

const memoryShape = z.object({
  memory: z.string(),
  title: z.string(),
  before: z.string().nullable().describe('What holds now; null = nothing does'),
  after: z.string().nullable().describe('What would hold; null = it would be forgotten'),
  changed_since: z.boolean(),
});

const pageShape = z.object({
  page: z.string(),
  title: z.string().nullable(),
  version: z.string().describe('When it was proposed'),
  removed: z.boolean(),
  follows: z
    .boolean()
    .describe('Not asked for: links in it would be rewritten so that they go on meaning the same'),
  changed_since: z.boolean(),
  lines_added: z.int().optional(),
  lines_removed: z.int().optional(),
  diff: z
    .string()
    .optional()
    .describe(
      'As it was when it was proposed, or of what would be removed as it is now; cut where it is long',
    ),
});

const factShape = z.object({
  page: z.string(),
  what: z.enum(['title', 'icon', 'parent', 'position', 'file']),
  path: z.string().optional().describe('Of a file'),
  before: z.string().nullable().describe('When it was proposed; of a parent the path, null for the root'),
  now: z.string().nullable(),
  after: z.string().nullable(),
  overlaps: z.boolean().describe('Somebody else changed it since'),
  impossible: z.boolean().optional().describe('The new parent is gone, or came below the page'),
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
    max_tokens: maxTokensArgument,
    cursor: cursorArgument,
  }),
  output: z.object({
    ...listedProposal,
    thread: z.string().nullable(),
    call: z.string(),
    arguments: z
      .record(z.string(), z.unknown())
      .describe('As proposed, without the text; files by digest and size, and cut where they are long'),
    base_version: z.string().nullable(),
    head_version: z.string().nullable().describe('Of the page, now; give it with content to accept_proposal'),
    pages: z
      .array(pageShape)
      .describe('Every page that would be changed; the one that text is of comes first'),
    facts: z
      .array(factShape)
      .describe('Titles, icons and places of pages, and files by digest, that would be changed'),
    pages_total: z.int(),
    pages_left: z.int().describe('That come with next_cursor'),
    more_follow: z.boolean().describe('More pages would follow than are named'),
    memories: z.array(memoryShape).optional().describe('For what is about memory instead of pages'),
    text: textShape.optional(),
    sources: z.array(z.object({ page: z.string(), version: z.string(), changed_since: z.boolean() })),
    next_cursor: nextCursor.describe('Give it with the same arguments for the rest of the diffs and pages'),
  }),
  async handler(use: WorkspaceMeans, input, call) {
    const reading = await read(use, call.read, input.proposal, {
      caller: call.caller,
      workspace: workspaceOf(call),
      now: call.at,
    });
    const { page, proposal, text } = reading;
    if (page && text) call.noteRead({ kind: 'page', id: page.id, version: page.version });
    const part = partOf(wholeOf(reading), input.max_tokens, input.cursor);
    return {
      ...describeProposal(reading),
      thread: proposal.by.thread,
      call: proposal.by.call,
      arguments: shownArguments(proposal.arguments),
      base_version: reading.baseVersion,
      head_version: page?.version ?? null,
      pages: part.pages.map(describePage),
      facts: reading.facts.slice(0, MAX_FACTS).map(describeFact),
      pages_total: reading.pages.length,
      pages_left: part.pagesLeft,
      more_follow: reading.counts.more,
      ...(reading.others.length > 0 && { memories: reading.others.map(describeOther) }),
      ...(text && { text: describeText(text, part, input.content) }),
      sources: reading.sources.map(({ id, version, changedSince }) => ({
        page: id,
        version,
        changed_since: changedSince,
      })),
      ...(part.nextCursor !== undefined && { next_cursor: part.nextCursor }),
    };
  },
});

function wholeOf({ text, page, pages }: ProposalReading): Whole {
  const version = page?.version ?? null;
  if (!text) return { version, pages, diff: '', landing: undefined };
  const { base, proposed, head, merged } = text;
  const landing = merged === undefined || head === base ? undefined : diffOf(head, merged);
  return { version, pages, diff: diffOf(base, proposed), landing };
}

const diffOf = (before: string, after: string): string => unifiedDiff(before, after).replace(/\n$/, '');

const describePage = ({ id, title, version, removed, follows, changedSince, change }: ConcernedPage) => ({
  page: id,
  title,
  version,
  removed: removed ?? false,
  follows: follows ?? false,
  changed_since: changedSince,
  ...(change && { lines_added: change.added, lines_removed: change.removed, diff: change.diff }),
});

/** Those that overlap are decided by, and come first. */
const MAX_FACTS = 100;

const describeFact = ({ page, what, path, before, now, after, clashes, impossible }: ShownFact) => ({
  page,
  what,
  ...(path !== undefined && { path }),
  before,
  now,
  after,
  overlaps: clashes,
  ...(impossible && { impossible }),
});

const describeOther = ({ id, title, before, after, changedSince }: OtherChange) => ({
  memory: id,
  title,
  before,
  after,
  changed_since: changedSince,
});

function describeText(
  { base, proposed, head, merged, marked, conflicts }: TextInReview,
  { diff, landing }: Part,
  whole: boolean,
) {
  const { lines_added, lines_removed } = describeChange(base, proposed);
  return {
    diff,
    lines_added,
    lines_removed,
    moved_on: head !== base && head !== proposed,
    overlaps: merged === undefined,
    ...(landing !== undefined && { landing_diff: landing }),
    ...(whole && { content: merged ?? marked ?? head }),
    conflicts: [...conflicts.slice(0, 20)],
  };
}

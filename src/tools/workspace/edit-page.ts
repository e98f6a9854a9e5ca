/** Edits a page in places. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { EDIT_OPS, type Edit, MAX_EDITS, onlyAdds } from '../../domain/workspace/editing/edit.ts';
import { editPage as edit } from '../../domain/workspace/editing/edit-page.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { MAX_CONTENT_BYTES } from '../../domain/workspace/page.ts';
import {
  derivedFromArgument,
  idempotencyArgument,
  ifMatchArgument,
  pageArgument,
  pageFacts,
} from './page-shape.ts';
import { pathOf } from './path-of.ts';
import { changeFacts, describeRevised, sectionArgument } from './text-shape.ts';

const blockArgument = z.string().max(200).optional();

const editArgument = z.object({
  op: z.enum(EDIT_OPS),
  find: z.string().max(100_000).optional().describe('For replace_text: the exact text, no pattern'),
  count: z.int().min(1).max(100_000).optional().describe('How often it must be there; left out = once'),
  text: z.string().optional().describe('What comes in'),
  section: sectionArgument
    .optional()
    .describe('A heading: "Title", "Above > Title" or "Title#2" for the second'),
  block: blockArgument.describe('A block: its id from list_blocks, or ^anchor'),
  digest: z.string().max(64).optional().describe('Refuse unless the block still has this digest'),
  before: blockArgument.describe('For move_block: the block to put it before'),
  after: blockArgument.describe('For move_block: the block to put it after'),
});

export const editPage = defineTool({
  name: 'edit_page',
  title: 'Edit a page',
  summary:
    'Changes places of a page by text, section or block and leaves the rest as it is, byte for byte. All edits or none, all read against the same version.',
  scopes: ['workspace.propose'],
  effect: 'local_side_effect',
  sandboxEligible: true,
  limits: { inputBytes: 2 * MAX_CONTENT_BYTES },
  write: {
    kind: 'page',
    contentArgument: 'edits',
    derivation: 'argument',
    derivationArgument: 'derived_from',
    adds: ({ edits }) => onlyAdds(edits as readonly Edit[]),
  },
  example: {
    page: 'projects/alpha',
    edits: [
      { op: 'replace_text', find: 'Status: open', text: 'Status: done' },
      { op: 'append', section: 'Log', text: '- Shipped.' },
    ],
  },
  input: z.object({
    page: pageArgument,
    edits: z
      .array(editArgument)
      .min(1)
      .max(MAX_EDITS)
      .describe('replace_section replaces what is below its heading; append without a place goes to the end'),
    base_version: z
      .string()
      .max(1_000)
      .optional()
      .describe('The version the edits are meant for; left out = the newest'),
    if_match: ifMatchArgument,
    derived_from: derivedFromArgument,
    idempotency_key: idempotencyArgument,
  }),
  output: z.object({ ...pageFacts, ...changeFacts }),
  async handler(use: WorkspaceMeans, input, call) {
    const revised = await edit(use, call.ticket, {
      page: input.page,
      edits: input.edits,
      baseVersion: input.base_version,
      ifMatch: input.if_match,
    });
    return describeRevised(revised, await pathOf(use, call.read, revised.page.id));
  },
});

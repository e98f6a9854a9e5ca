/** Where a page or a block comes from. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import {
  BLOCK_ORIGINS,
  readBlockProvenance,
  readProvenance,
} from '../../domain/workspace/provenance/read-provenance.ts';
import { invalidInput } from '../../kernel/errors.ts';
import { LIFECYCLES } from '../../kernel/submission.ts';
import {
  cursorArgument,
  isoTime,
  maxTokensArgument,
  nextCursor,
  pageArgument,
  workspaceOf,
} from './page-shape.ts';
import { blockFact, describeBlock, sourceFact, sourcesIn, sourceTeller } from './provenance-shape.ts';

export const getProvenance = defineTool({
  name: 'get_provenance',
  title: 'Provenance',
  summary:
    'Says where a page or a block comes from: who wrote it, in which run, from which sources, and whether those changed since.',
  scopes: ['workspace.read'],
  effect: 'read_only',
  sandboxEligible: true,
  example: { page: 'projects/alpha', blocks: true },
  input: z.object({
    page: pageArgument.optional(),
    block: z.string().min(1).max(100).optional().describe('The id of one block, instead of a page'),
    blocks: z.boolean().default(false).describe('Also answer the page block by block'),
    max_tokens: maxTokensArgument,
    cursor: cursorArgument,
  }),
  output: z.object({
    page: z.string(),
    title: z.string(),
    version: z.string(),
    origin: z.enum(BLOCK_ORIGINS),
    lifecycle: z.enum(LIFECYCLES),
    actor: z.string().describe('Who made it'),
    run: z.string().nullable(),
    tool: z.string().nullable(),
    call: z.string().nullable(),
    at: z.string().nullable(),
    sources: z.array(sourceFact),
    origins: z.record(z.string(), z.int()).optional().describe('How many blocks of each origin'),
    blocks: z.array(blockFact).optional(),
    next_cursor: nextCursor,
  }),
  async handler(use: WorkspaceMeans, input, call) {
    const { page, block } = input;
    const workspace = workspaceOf(call);
    if (page === undefined && block !== undefined) {
      const found = await readBlockProvenance(use, call.read, workspace, block);
      const tell = await sourceTeller(use, call.read, workspace, sourcesIn([found.block]));
      const described = describeBlock(found.block, tell);
      const [writer] = described.written_by;
      return {
        page: found.page.id,
        title: found.page.title,
        version: found.page.version,
        origin: described.origin,
        lifecycle: found.page.lifecycle,
        actor: writer?.actor ?? 'unknown',
        run: writer?.run ?? null,
        tool: writer?.tool ?? null,
        call: writer?.call ?? null,
        at: writer?.at ?? null,
        sources: [
          ...new Map(
            described.written_by
              .flatMap(({ sources }) => sources)
              .map((one) => [`${one.page} ${one.version}`, one]),
          ).values(),
        ],
        blocks: [described],
      };
    }
    if (page === undefined || block !== undefined)
      throw invalidInput('page', 'or "block" must be given, not both');
    const wish = { page, blocks: input.blocks, maxTokens: input.max_tokens, cursor: input.cursor };
    const found = await readProvenance(use, call.read, workspace, wish);
    const tell = await sourceTeller(use, call.read, workspace, [
      ...found.sources,
      ...sourcesIn(found.blocks),
    ]);
    const { created } = found;
    return {
      page: found.page.id,
      title: found.page.title,
      version: found.page.version,
      origin: found.page.origin,
      lifecycle: found.page.lifecycle,
      actor: created?.principalName ?? found.page.createdBy,
      run: created?.run ?? null,
      tool: created?.tool ?? null,
      call: created?.call ?? null,
      at: isoTime(found.page.createdAt),
      sources: tell(found.sources),
      origins: { ...found.origins },
      ...(input.blocks && { blocks: found.blocks.map((one) => describeBlock(one, tell)) }),
      ...(found.nextCursor !== undefined && { next_cursor: found.nextCursor }),
    };
  },
});

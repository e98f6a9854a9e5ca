/** How the workspace is doing. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import {
  type CheckedHealth,
  checkHealth,
  HEALTH_CHECKS,
} from '../../domain/workspace/health/workspace-health.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { invalidInput } from '../../kernel/errors.ts';
import { cursorArgument, mention, nextCursor, workspaceOf } from './page-shape.ts';

export const workspaceHealth = defineTool({
  name: 'workspace_health',
  title: 'Check the workspace',
  summary:
    'Counts broken and ambiguous links, orphans, unreviewed pages and pages whose sources changed, with the first of each; check pages through one.',
  scopes: ['workspace.read'],
  effect: 'read_only',
  sandboxEligible: true,
  example: {},
  input: z.object({
    check: z.enum(HEALTH_CHECKS).optional().describe('Only this one'),
    limit: z.int().min(1).max(100).default(10),
    cursor: cursorArgument,
  }),
  output: z.object({
    pages: z.int(),
    unreviewed_share: z.number().describe('Of all pages, from 0 to 1'),
    checks: z.array(
      z.object({
        check: z.enum(HEALTH_CHECKS),
        count: z.int(),
        items: z.array(z.object({ page: mention, written: z.string().optional() })),
        next_cursor: nextCursor,
      }),
    ),
  }),
  async handler(use: WorkspaceMeans, input, call) {
    const { check, limit, cursor } = input;
    if (cursor !== undefined && check === undefined)
      throw invalidInput('check', 'must say what the cursor is of');
    const workspace = workspaceOf(call);
    const checks: CheckedHealth[] = [];
    for (const one of check === undefined ? HEALTH_CHECKS : [check])
      checks.push(await checkHealth(use, call.read, workspace, one, limit, cursor));
    const pages = await use.pages.count(call.read, workspace);
    const unreviewed = await use.health.count(call.read, workspace, 'unreviewed');
    return {
      pages,
      unreviewed_share: pages === 0 ? 0 : Math.round((unreviewed / pages) * 1000) / 1000,
      checks: checks.map(({ check: name, count, items, nextCursor: next }) => ({
        check: name,
        count,
        items: [...items],
        ...(next !== undefined && { next_cursor: next }),
      })),
    };
  },
});

/** Provenance in the form of the W3C. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { exportProvenance as exportProv } from '../../domain/workspace/provenance/export-provenance.ts';
import { invalidInput } from '../../kernel/errors.ts';
import { cursorArgument, nextCursor, pageArgument, workspaceOf } from './page-shape.ts';

export const exportProvenance = defineTool({
  name: 'export_provenance',
  title: 'Export provenance',
  summary:
    'Answers the history of a page or of a run as W3C PROV-JSON, part by part: each part stands for itself, together they are the whole.',
  scopes: ['workspace.read'],
  effect: 'read_only',
  example: { page: 'projects/alpha' },
  input: z.object({
    page: pageArgument.optional(),
    run: z.string().min(1).max(1_000).optional().describe('From get_timeline, instead of a page'),
    cursor: cursorArgument,
  }),
  output: z.object({
    document: z.record(z.string(), z.record(z.string(), z.unknown())).describe('PROV-JSON'),
    next_cursor: nextCursor,
  }),
  async handler(use: WorkspaceMeans, input, call) {
    const { page, run, cursor } = input;
    const { principal, scopes } = call.caller;
    const mayKnow = (events: readonly { readonly principal: string }[]): boolean =>
      scopes.has('workspace.write') || events.every((event) => event.principal === principal.id);
    const may = { mayKnow, mayAudit: scopes.has('audit.read') };
    const found =
      page !== undefined && run === undefined
        ? await exportProv(use, call.read, workspaceOf(call), { page, cursor, ...may })
        : run !== undefined && page === undefined
          ? await exportProv(use, call.read, workspaceOf(call), { run, cursor, ...may })
          : undefined;
    if (!found) throw invalidInput('page', 'or "run" must be given, not both');
    return {
      document: found.document,
      ...(found.nextCursor !== undefined && { next_cursor: found.nextCursor }),
    };
  },
});

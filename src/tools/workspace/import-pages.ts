/** Imports notes. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { importPages as bringIn } from '../../domain/workspace/import-pages.ts';
import { DIALECTS } from '../../domain/workspace/markdown/dialect.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { IMPORT_OUTCOMES } from '../../domain/workspace/read-notes.ts';
import { canonicalArgument, dryRunArgument, IMPORT_LIMITS, intoArgument } from './import-shape.ts';

export const importPages = defineTool({
  name: 'import_pages',
  title: 'Import notes',
  summary:
    'Imports Markdown files as pages, all or none. A file that came before is skipped, or merged if it changed. Pages are drafts until an author accepts them; changes of canonical pages are proposed.',
  scopes: ['workspace.write'],
  effect: 'local_side_effect',
  idempotent: true,
  limits: IMPORT_LIMITS,
  write: {
    kind: 'page',
    contentArgument: 'files',
    derivation: 'none',
    imports: true,
    canonicalArgument: 'canonical',
  },
  example: { files: [{ path: 'Projects/Alpha.md', text: '# Alpha\n' }] },
  input: z.object({
    files: z
      .array(z.object({ path: z.string().max(4_000), text: z.string() }))
      .min(1)
      .max(500)
      .describe('Paths relative to the imported folder, with slashes; texts byte for byte'),
    dialect: z.enum(DIALECTS).default('obsidian').describe('How the notes write links and hierarchy'),
    into: intoArgument,
    canonical: canonicalArgument,
    dry_run: dryRunArgument,
  }),
  output: z.object({
    run: z.string().describe('The run that it is; accept_proposal and reject_proposal decide all of it'),
    files: z.array(
      z.object({
        path: z.string(),
        outcome: z.enum(IMPORT_OUTCOMES),
        page: z.string().optional(),
        proposal: z.string().optional().describe('The change of a canonical page, which waits'),
        waiting_run: z.string().optional().describe('The earlier run that it came in and still waits with'),
        reason: z.string().optional().describe('Why it did not come in'),
        notes: z.array(z.string()).describe('What is odd about it'),
      }),
    ),
  }),
  async handler(use: WorkspaceMeans, input, call) {
    const files = await bringIn(use, call.ticket, {
      files: input.files,
      dialect: input.dialect,
      into: input.into,
      dryRun: input.dry_run,
    });
    const { run } = call.caller.context;
    return {
      run,
      files: files.map(({ waitingRun, ...file }) => ({
        ...file,
        notes: [...file.notes],
        ...(waitingRun !== undefined && { waiting_run: waitingRun }),
      })),
    };
  },
});

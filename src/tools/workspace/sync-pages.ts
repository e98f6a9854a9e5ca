/** Takes files of a synced folder in. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { DIALECTS } from '../../domain/workspace/markdown/dialect.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { SYNC_OUTCOMES, syncPages as takeIn } from '../../domain/workspace/sync/sync-pages.ts';
import { digestArgument, IMPORT_LIMITS } from './import-shape.ts';

export const syncPages = defineTool({
  name: 'sync_pages',
  title: 'Take files of a synced folder in',
  summary:
    'Makes pages of new files, merges changed ones into theirs from the version they were last equal to, and puts pages where their files lie now. Without a text it only ties a page to its file.',
  scopes: ['workspace.write'],
  effect: 'local_side_effect',
  idempotent: true,
  limits: IMPORT_LIMITS,
  write: { kind: 'page', contentArgument: 'files', derivation: 'none' },
  example: { files: [{ path: 'Projects/Alpha.md', text: '# Alpha\n' }] },
  input: z.object({
    files: z
      .array(
        z.object({
          path: z.string().max(4_000).describe('Where the file is to be, with slashes'),
          text: z.string().optional().describe('Byte for byte; left out = that of the version'),
          page: z.string().max(100).optional().describe('The id of its page; left out = a new file'),
          version: z.string().max(1_000).optional().describe('The version the file was last equal to'),
          digest: digestArgument.optional().describe('The digest the file had then'),
          moved: z.boolean().optional().describe('The file was moved there, so its page is'),
        }),
      )
      .min(1)
      .max(500)
      .describe('New, changed and moved files; paths relative to the folder'),
    dialect: z.enum(DIALECTS).default('obsidian').describe('How the notes write links and hierarchy'),
  }),
  output: z.object({
    files: z.array(
      z.object({
        path: z.string(),
        outcome: z.enum(SYNC_OUTCOMES),
        page: z.string().optional(),
        proposal: z.string().optional().describe('The change of a canonical page, which waits'),
        version: z.string().optional().describe('Of the page, if its text is the file’s'),
        reason: z.string().optional().describe('Why it did not come in'),
        notes: z.array(z.string()).describe('What is odd about it'),
      }),
    ),
  }),
  async handler(use: WorkspaceMeans, input, call) {
    const files = input.files.map((file) => ({ ...file, digest: file.digest?.replace(/^sha256:/, '') }));
    const taken = await takeIn(use, call.ticket, { files, dialect: input.dialect });
    return { files: taken.map((file) => ({ ...file, notes: [...file.notes] })) };
  },
});

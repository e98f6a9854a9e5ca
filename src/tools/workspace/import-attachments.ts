/** Imports files that are no notes. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { importAttachments as bringIn } from '../../domain/workspace/import-attachments.ts';
import type { AttachmentMeans } from './attachment-means.ts';
import {
  canonicalArgument,
  digestArgument,
  dryRunArgument,
  IMPORT_LIMITS,
  intoArgument,
} from './import-shape.ts';

export const importAttachments = defineTool({
  name: 'import_attachments',
  title: 'Import attachments',
  summary:
    'Puts files at paths of the workspace so that links find them. Their bytes are sent with upload_blobs; the answer names those still missing.',
  scopes: ['workspace.write'],
  effect: 'local_side_effect',
  idempotent: true,
  limits: IMPORT_LIMITS,
  write: {
    kind: 'attachment',
    contentArgument: 'files',
    derivation: 'none',
    imports: true,
    canonicalArgument: 'canonical',
  },
  example: {
    files: [
      {
        path: 'img/Figure 1.png',
        digest: `sha256:${'0'.repeat(64)}`,
        size: 1_024,
        parts: [`sha256:${'0'.repeat(64)}`],
      },
    ],
  },
  input: z.object({
    files: z
      .array(
        z.object({
          path: z.string().max(4_000),
          digest: digestArgument,
          size: z.int().min(0),
          media_type: z.string().max(200).default('application/octet-stream'),
          parts: z.array(digestArgument).min(1).max(1_000).describe('Blobs that make up the file, in order'),
        }),
      )
      .min(1)
      .max(500)
      .describe('Paths relative to the imported folder, with slashes'),
    into: intoArgument,
    canonical: canonicalArgument,
    dry_run: dryRunArgument,
  }),
  output: z.object({
    attached: z.int(),
    unchanged: z.int(),
    missing: z.array(z.string()).describe('Send these with upload_blobs and call again'),
    protected: z
      .array(z.string())
      .describe(
        'Canonical pages show other files there, or others brought them; attach_file proposes one in their place',
      ),
  }),
  async handler(use: AttachmentMeans, input, call) {
    const done = await bringIn(use, call.ticket, {
      files: input.files.map(({ media_type: mediaType, ...file }) => ({ ...file, mediaType })),
      into: input.into,
      dryRun: input.dry_run,
      hasBlob: (digest) => use.blobs.has(digest),
      wasSent: (digest) => use.sent.has(call.caller.principal, digest),
    });
    return { ...done, missing: [...done.missing], protected: [...done.protected] };
  },
});

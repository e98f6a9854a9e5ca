/** Reads an attachment. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { findAttachment } from '../../domain/workspace/attachments.ts';
import { SluiceError } from '../../kernel/errors.ts';
import type { AttachmentMeans } from './attachment-means.ts';
import { digestArgument } from './import-shape.ts';
import { workspaceOf } from './page-shape.ts';

export const readAttachment = defineTool({
  name: 'read_attachment',
  title: 'Read an attachment',
  summary: 'Reads the bytes of a file of the workspace, part by part.',
  scopes: ['workspace.read'],
  effect: 'read_only',
  sandboxEligible: true,
  limits: { outputBytes: 12 * 1024 * 1024 },
  example: { path: 'img/Figure 1.png' },
  input: z.object({
    path: z.string().max(4_000).describe('As list_attachments gives it in full_path'),
    digest: digestArgument
      .optional()
      .describe('Which file, where people who see different pages put several at one path'),
    part: z.int().min(0).default(0).describe('Which of its parts; most files have one'),
  }),
  output: z.object({
    path: z.string(),
    digest: z.string().describe('Of the whole file'),
    size: z.int().describe('Of the whole file'),
    media_type: z.string(),
    parts: z.int(),
    bytes: z.string().describe('Of the part, in base64'),
  }),
  async handler(use: AttachmentMeans, input, call) {
    const { file } = await findAttachment(use, call.read, workspaceOf(call), input);
    const blob = file.parts[input.part];
    if (blob === undefined)
      throw new SluiceError('not_found', `"${input.path}" has ${file.parts.length} parts`, { field: 'part' });
    const bytes: Uint8Array[] = [];
    for await (const chunk of use.blobs.read(blob)) bytes.push(chunk);
    return {
      path: file.path,
      digest: file.digest,
      size: file.size,
      media_type: file.mediaType,
      parts: file.parts.length,
      bytes: Buffer.concat(bytes).toString('base64'),
    };
  },
});

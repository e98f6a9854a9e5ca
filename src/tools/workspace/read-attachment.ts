/** Reads an attachment. */
import { z } from 'zod';
import type { ReadContext } from '../../catalogue/call-context.ts';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { findAttachment } from '../../domain/workspace/attachments.ts';
import { proposedFile } from '../../domain/workspace/proposals/proposed-file.ts';
import { sha256Hex } from '../../kernel/canonical-json.ts';
import { invalidInput, SluiceError } from '../../kernel/errors.ts';
import type { AttachmentMeans } from './attachment-means.ts';
import { digestArgument } from './import-shape.ts';
import { workspaceOf } from './page-shape.ts';
import { proposalArgument } from './proposal-shape.ts';

export const readAttachment = defineTool({
  name: 'read_attachment',
  title: 'Read an attachment',
  summary:
    'Reads the bytes of a file of the workspace, part by part; or with proposal those of a file that was proposed, before it lands.',
  scopes: ['workspace.read'],
  effect: 'read_only',
  sandboxEligible: true,
  limits: { outputBytes: 12 * 1024 * 1024 },
  example: { path: 'img/Figure 1.png' },
  input: z.object({
    path: z.string().max(4_000).optional().describe('As list_attachments gives it in full_path'),
    proposal: proposalArgument.optional().describe('Or the proposal that would attach the file'),
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
  async handler(use: AttachmentMeans, { path, proposal, digest, part }, call) {
    if ((path === undefined) === (proposal === undefined))
      throw invalidInput('path', 'or "proposal" must be given, and not both');
    const file =
      path === undefined
        ? await fileToCome(use, call, String(proposal))
        : (await findAttachment(use, call.read, workspaceOf(call), { path, digest })).file;
    const blob = file.parts[part];
    if (blob === undefined)
      throw new SluiceError('not_found', `"${file.path}" has ${file.parts.length} parts`, { field: 'part' });
    const bytes = typeof blob === 'string' ? await bytesOf(use, blob) : blob;
    return {
      path: file.path,
      digest: file.digest,
      size: file.size,
      media_type: file.mediaType,
      parts: file.parts.length,
      bytes: bytes.toString('base64'),
    };
  },
});

/** Its one part is there already, or was sent along. */
async function fileToCome(use: AttachmentMeans, call: ReadContext, proposal: string) {
  const reader = { caller: call.caller, workspace: workspaceOf(call) };
  const { path, mediaType, bytes } = await proposedFile(use, call.read, proposal, reader);
  const whole = typeof bytes === 'string' ? Buffer.from(bytes, 'base64') : await bytesOf(use, bytes.blob);
  return { path, mediaType, digest: `sha256:${sha256Hex(whole)}`, size: whole.length, parts: [whole] };
}

async function bytesOf({ blobs }: AttachmentMeans, blob: string): Promise<Buffer> {
  const bytes: Uint8Array[] = [];
  for await (const chunk of blobs.read(blob)) bytes.push(chunk);
  return Buffer.concat(bytes);
}

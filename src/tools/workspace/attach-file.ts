/** Attaches a file to a page. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { attachFile as attach } from '../../domain/workspace/attach-file.ts';
import { invalidInput, SluiceError } from '../../kernel/errors.ts';
import type { AttachmentMeans } from './attachment-means.ts';
import { digestArgument, fromBase64, IMPORT_LIMITS, MAX_BLOB_BYTES } from './import-shape.ts';
import { idempotencyArgument, ifMatchArgument, pageArgument } from './page-shape.ts';

export const attachFile = defineTool({
  name: 'attach_file',
  title: 'Attach a file',
  summary:
    'Puts a file beside a page, from its bytes or from a blob that is there already, and answers the link to write.',
  scopes: ['workspace.propose'],
  effect: 'local_side_effect',
  sandboxEligible: true,
  idempotent: true,
  limits: IMPORT_LIMITS,
  write: { kind: 'attachment', contentArgument: 'name', derivation: 'none' },
  example: { page: 'projects/alpha', name: 'plan.txt', bytes: 'aGVsbG8=', media_type: 'text/plain' },
  input: z.object({
    page: pageArgument,
    name: z.string().max(300),
    bytes: z.string().optional().describe('The file in base64, up to 6 MiB'),
    blob: digestArgument.optional().describe('Or the digest of bytes from upload_blobs or of another file'),
    media_type: z.string().max(200).default('application/octet-stream').describe('Such as image/png'),
    replace: z.boolean().default(false).describe('Take the place of another file of that name'),
    if_match: ifMatchArgument,
    idempotency_key: idempotencyArgument,
  }),
  output: z.object({
    path: z.string(),
    digest: z.string(),
    size: z.int(),
    media_type: z.string(),
    changed: z.boolean(),
    link: z.string().describe('Write it into a page to show or reach the file'),
  }),
  async handler(use: AttachmentMeans, input, call) {
    const { page, name, bytes, blob, replace } = input;
    if ((bytes === undefined) === (blob === undefined))
      throw invalidInput('bytes', 'or "blob" must be given, and not both');
    const { file, changed } = await attach(use, call.ticket, {
      page,
      name,
      mediaType: input.media_type,
      replace,
      ifMatch: input.if_match,
      blob,
      wasSent: (digest) => use.sent.has(call.caller.principal, digest),
      bytes: (isUsable) =>
        blob === undefined
          ? use.blobs.keep(fromBase64(bytes ?? '', 'bytes'), MAX_BLOB_BYTES)
          : known(use, blob, isUsable(blob)),
    });
    const isShown = /^(image|audio|video)\/|^application\/pdf$/.test(file.mediaType);
    return {
      path: file.path,
      digest: file.digest,
      size: file.size,
      media_type: file.mediaType,
      changed,
      link: `${isShown ? '!' : ''}[[${file.path.split('/').at(-1)}]]`,
    };
  },
});

function known({ blobs }: AttachmentMeans, digest: string, isUsable: boolean) {
  const size = isUsable ? blobs.sizeOf(digest) : undefined;
  if (size !== undefined) return { digest, size };
  throw new SluiceError('not_found', `There is no blob ${digest}; send it with upload_blobs`, {
    field: 'blob',
  });
}

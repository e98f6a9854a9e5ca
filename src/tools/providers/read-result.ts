/** Reads on in an answer of a provider that was too long to be given whole. */
import { z } from 'zod';
import { type Content, Reply, text } from '../../catalogue/content.ts';
import { defineTool } from '../../catalogue/tool-definition.ts';
import {
  findAnswer,
  noSuchResult,
  partNamed,
  type TextPage,
  textPage,
} from '../../domain/providers/answers/read-answer.ts';
import { openPart } from '../../domain/providers/answers/sealed-parts.ts';
import type { AnswerPart, KeptAnswer } from '../../domain/providers/ports/answer-store.ts';
import { providerToolName } from '../../kernel/provider-names.ts';
import type { ReadResultMeans } from './means.ts';

const VERDICT = 'ACCEPTED_OBSERVATION';

export const readResult = defineTool({
  name: 'read_result',
  title: 'Read a long result',
  summary:
    'Reads on in a result that was too long to be given whole, by the handle that came with its beginning.',
  scopes: ['providers.call'],
  effect: 'read_only',
  needsWorkspace: false,
  helps: true,
  limits: { outputBytes: 16 * 1024 * 1024 },
  example: { handle: '01900000-0000-7000-8000-000000000000', offset: 8_192 },
  input: z.object({
    handle: z.string().max(64).describe('As it came with the result'),
    part: z.string().max(64).optional().describe('Which of its parts; the first if left out'),
    offset: z.int().min(0).default(0).describe('Where to go on, in bytes, as next_offset says'),
    length: z.int().min(4).max(65_536).default(32_768).describe('How many bytes at most'),
  }),
  async handler(use: ReadResultMeans, { handle, part: name, offset, length }, { caller, read, at }) {
    const answer = await findAnswer(use, read, caller.principal.id, handle, at);
    if (!use.mayCall(caller, providerToolName(answer.provider, answer.tool))) throw noSuchResult(handle);
    const part = partNamed(answer, name);
    // Collected before its time, by hand for example.
    if (!use.blobs.has(part.digest)) throw noSuchResult(handle);
    const bytes = await openPart(use, handle, part);
    return isText(part)
      ? textReply(answer, part, textPage(bytes, offset, length))
      : reply(answer, part, [blockOf(part, bytes)], {});
  },
});

const isText = ({ mimeType }: AnswerPart): boolean =>
  mimeType === 'application/json' || mimeType === 'text/plain';

const textReply = (answer: KeptAnswer, part: AnswerPart, page: TextPage): Reply =>
  reply(answer, part, [text(page.text)], { offset: page.offset, next_offset: page.next, text: page.text });

function reply(
  { id, provider }: KeptAnswer,
  { name, mimeType, bytes }: AnswerPart,
  content: readonly Content[],
  page: Readonly<Record<string, unknown>>,
): Reply {
  const facts = { handle: id, part: name, mime_type: mimeType, bytes, ...page };
  const label = { provider, untrusted: true, verdict: VERDICT, findings: [] } as const;
  return new Reply(content, false, facts, VERDICT, label);
}

function blockOf({ name, mimeType }: AnswerPart, bytes: Buffer): Content {
  const data = bytes.toString('base64');
  const [kind] = mimeType.split('/', 1);
  if (kind === 'image' || kind === 'audio') return { type: kind, data, mimeType };
  return { type: 'resource', resource: { uri: `sluice://result/${name}`, mimeType, blob: data } };
}

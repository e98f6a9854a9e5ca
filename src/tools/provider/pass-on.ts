/** From what the firewall let through to the answer: labelled as a provider's, and what is too long kept to be read on. */
import type { ActionContext } from '../../catalogue/call-context.ts';
import { type Label, Reply, text } from '../../catalogue/content.ts';
import { KEEP_ANSWERS_MS } from '../../domain/providers/answers/keep-answer.ts';
import { sealParts } from '../../domain/providers/answers/sealed-parts.ts';
import { splitAnswer } from '../../domain/providers/answers/split-answer.ts';
import { SENSITIVITY } from '../../domain/providers/firewall/token-shapes.ts';
import type { Inspection } from '../../domain/providers/firewall/verdict.ts';
import type { AnswerPart } from '../../domain/providers/ports/answer-store.ts';
import { type AllowedTool, type ProviderProfile, textBytesFor } from '../../domain/providers/profile.ts';
import { recordedVerdict } from './held-back.ts';
import type { ProviderFamilyMeans } from './means.ts';

export async function passOn(
  use: ProviderFamilyMeans,
  profile: ProviderProfile,
  { name }: AllowedTool,
  inspection: Inspection,
  call: ActionContext,
): Promise<Reply> {
  const [label, verdict] = [labelOf(profile.id, inspection), recordedVerdict(inspection)];
  const { shown, long } = splitAnswer(inspection.result, textBytesFor(profile.limits, name));
  if (long.length === 0) return new Reply(shown.content, shown.isError, shown.structured, verdict, label);
  const parts = await sealParts(use, call.callId, long);
  await use.act('provider.keep_answer', {
    handle: call.callId,
    principal: call.caller.principal.id,
    provider: profile.id,
    tool: name,
    parts,
  });
  const kept = { handle: call.callId, until: new Date(call.at + KEEP_ANSWERS_MS).toISOString(), parts };
  const content = [...shown.content, text(noteOf(kept))];
  return new Reply(content, shown.isError, shown.structured, verdict, {
    ...label,
    kept: facts(kept),
  });
}

export const labelOf = (provider: string, { verdict, findings }: Inspection): Label => ({
  provider,
  untrusted: true,
  verdict,
  sensitivity: SENSITIVITY.find((one) => findings.some(({ family }) => family === one)) ?? 'NONE',
  findings: findings.map((finding) => ({ ...finding })),
});

interface Kept {
  readonly handle: string;
  readonly until: string;
  readonly parts: readonly AnswerPart[];
}

/** Digests are nobody's business but ours. */
const facts = ({ handle, until, parts }: Kept): NonNullable<Label['kept']> => ({
  handle,
  until,
  parts: parts.map(({ name, mimeType, bytes }) => ({ name, mimeType, bytes })),
});

function noteOf({ handle, until, parts }: Kept): string {
  const what = parts.map(({ name, bytes }) => `"${name}" (${bytes} bytes)`).join(', ');
  const first = JSON.stringify({ handle, part: parts[0]?.name });
  return `[Sluice: this answer is too long to be given whole. All of ${what} is kept until ${until}; read it with read_result ${first}]`;
}

/** Questions of a provider as they are shown to whoever calls: through the firewall, and named as a stranger's. */

import type { InputRequest } from '../../catalogue/input-request.ts';
import type { ProviderProfile } from '../../domain/providers/profile.ts';
import type { ProviderQuestion, Questions } from '../../domain/providers/relay.ts';
import type { ProviderContent } from '../../domain/providers/result.ts';
import type { Shown } from '../../domain/providers/surface.ts';
import { heldBack, passes } from './held-back.ts';
import type { ProviderFamilyMeans } from './means.ts';

export async function inspectedQuestions(
  use: Pick<ProviderFamilyMeans, 'inspect'>,
  profile: ProviderProfile,
  asked: Questions['asked'],
): Promise<Readonly<Record<string, InputRequest>>> {
  const requests: Record<string, InputRequest> = {};
  for (const [key, question] of Object.entries(asked))
    requests[key] = await inspectedQuestion(use, profile, question);
  return requests;
}

async function inspectedQuestion(
  use: Pick<ProviderFamilyMeans, 'inspect'>,
  profile: ProviderProfile,
  question: ProviderQuestion,
): Promise<InputRequest> {
  if (question.kind === 'roots') return question;
  const words = (text: string): ProviderContent => ({ type: 'text', text });
  const content =
    question.kind === 'form'
      ? [words(question.message)]
      : [words(question.systemPrompt ?? ''), ...question.messages.map((message) => message.content)];
  const structured = question.kind === 'form' ? question.schema : undefined;
  const inspection = await use.inspect(profile, { content, structured, isError: false });
  if (!passes(inspection)) throw heldBack(profile.id, inspection);
  const [first, ...rest] = inspection.result.content;
  const text = first?.type === 'text' ? first.text : '';
  if (question.kind === 'form')
    return {
      kind: 'form',
      message: `"${profile.id}", a server that is not part of Sluice, asks: ${text}`,
      schema: (inspection.result.structured ?? {}) as Shown,
    };
  return {
    kind: 'sampling',
    messages: question.messages.map(({ role, content: said }, at) => ({ role, content: rest[at] ?? said })),
    maxTokens: question.maxTokens,
    ...(question.systemPrompt !== undefined && { systemPrompt: text }),
  };
}

/** What a provider of the older protocol is told: what it asked for, and nothing else of what the client sent. */
import type { ProviderQuestion } from './relay.ts';
import { isShown, type Shown } from './surface.ts';

const MAX_ROOTS = 100;

/** Undefined where the client gave no answer to it. */
export function answerTo(question: ProviderQuestion, given: unknown): Shown | undefined {
  if (!isShown(given)) return undefined;
  if (question.kind === 'form') return formAnswer(question.schema, given);
  return question.kind === 'sampling' ? samplingAnswer(given) : rootsAnswer(given);
}

function formAnswer(schema: Shown, { action, content }: Shown): Shown | undefined {
  if (action === 'decline' || action === 'cancel') return { action };
  if (action !== 'accept') return undefined;
  const fields = isShown(schema.properties) ? schema.properties : {};
  const filled = Object.entries(isShown(content) ? content : {}).filter(
    ([name, value]) => Object.hasOwn(fields, name) && isFieldValue(value),
  );
  return { action, content: Object.fromEntries(filled) };
}

const isFieldValue = (value: unknown): boolean =>
  ['string', 'number', 'boolean'].includes(typeof value) ||
  (Array.isArray(value) && value.every((one) => typeof one === 'string'));

function samplingAnswer({ role, content, model, stopReason }: Shown): Shown | undefined {
  const said = Array.isArray(content) ? content.map(spokenBlock) : spokenBlock(content);
  if (said === undefined || (Array.isArray(said) && said.includes(undefined))) return undefined;
  return {
    role: role === 'user' ? 'user' : 'assistant',
    content: said,
    model: typeof model === 'string' ? model : 'unknown',
    ...(typeof stopReason === 'string' && { stopReason }),
  };
}

function spokenBlock(block: unknown): Shown | undefined {
  const { type, text, data, mimeType } = isShown(block) ? block : {};
  if (type === 'text' && typeof text === 'string') return { type, text };
  const heard = (type === 'image' || type === 'audio') && typeof data === 'string';
  return heard && typeof mimeType === 'string' ? { type, data, mimeType } : undefined;
}

function rootsAnswer({ roots }: Shown): Shown | undefined {
  if (!Array.isArray(roots)) return undefined;
  const named = roots.slice(0, MAX_ROOTS).flatMap((root: unknown) => {
    const { uri, name } = isShown(root) ? root : {};
    return typeof uri === 'string' ? [{ uri, ...(typeof name === 'string' && { name }) }] : [];
  });
  return { roots: named };
}

/** Step 16: what goes out has the declared shape, no more than its size, and a verdict. */
import { type EmbeddedResource, Judged, Reply } from '../../catalogue/content.ts';
import type { PromptMessage } from '../../catalogue/prompt-definition.ts';
import type { ResourceContent } from '../../catalogue/resource-definition.ts';
import type { Tool } from '../../catalogue/tool-definition.ts';
import { sha256Hex } from '../../kernel/canonical-json.ts';
import { SluiceError } from '../../kernel/errors.ts';
import type { Gate } from '../means.ts';
import type { Answer, Target, ToolAnswer } from '../request.ts';
import { type Checked, type Handled, learn } from '../stages.ts';

export function checkOutput(_use: Gate, handled: Handled): Checked {
  const { entry, draft } = handled;
  const answer = answerOf(handled);
  const text = textOf(answer);
  const bytes = Buffer.byteLength(text);
  if (bytes > entry.limits.outputBytes) {
    const limit = entry.limits.outputBytes;
    throw new SluiceError(
      'output_too_large',
      `The answer has ${bytes} bytes, at most ${limit} are sent; ask for less`,
    );
  }
  // Output of our own needs no firewall; a provider's brings its verdict along.
  draft.output(`sha256:${sha256Hex(text)}`, verdictOf(handled.output));
  return learn(handled, 'answer', answer);
}

const verdictOf = (output: unknown): string | null =>
  output instanceof Reply || output instanceof Judged ? output.verdict : null;

function answerOf({ entry, output, request }: Handled): Answer {
  if (request.target.kind === 'completion') return completionAnswer(output as readonly string[]);
  if (request.target.kind === 'subscription')
    return { kind: 'subscription', follows: output as string | null | undefined };
  const given = output instanceof Judged ? output.value : output;
  const label = output instanceof Judged ? { label: output.label } : {};
  switch (entry.kind) {
    case 'tool':
      return toolOutput(entry, output);
    case 'resource':
      return { kind: 'resource', contents: contentsOf(request.target, given), ...label };
    case 'prompt':
      return { kind: 'prompt', messages: given as readonly PromptMessage[], ...label };
  }
}

function toolOutput(tool: Tool, output: unknown): ToolAnswer {
  if (output instanceof Reply && (!tool.output || output.verdict !== null)) return replyAnswer(tool, output);
  if (!tool.output) {
    throw new SluiceError(
      'internal',
      `${tool.name} declares no output and answered with something else than blocks`,
    );
  }
  const checked = tool.output.check(output);
  if (checked.ok) return toolAnswer(checked.value as Record<string, unknown>);
  const fields = checked.issues.map((issue) => `${issue.field} ${issue.wanted}`).join('; ');
  throw new SluiceError('internal', `${tool.name} answered in a shape it does not declare (${fields})`);
}

function replyAnswer(tool: Tool, { content, isError, structured, label }: Reply): ToolAnswer {
  const text = JSON.stringify(structured === undefined ? content : { content, structured });
  return {
    kind: 'tool',
    content,
    text,
    ...(structured !== undefined && named(structured)),
    ...(tool.output && { declared: tool.output.json }),
    ...(isError && { isError }),
    ...(label && { label }),
  };
}

const named = (structured: unknown): Pick<ToolAnswer, 'structured' | 'bare'> =>
  typeof structured === 'object' && structured !== null && !Array.isArray(structured)
    ? { structured: structured as Record<string, unknown> }
    : { structured: { result: structured }, bare: true };

/** Text and structure carry the same facts. */
export function toolAnswer(structured: Readonly<Record<string, unknown>>): ToolAnswer {
  return { kind: 'tool', structured, text: JSON.stringify(structured) };
}

/** A provider's come with their own names; one of ours is what was asked for. */
function contentsOf(target: Target, given: unknown): readonly EmbeddedResource[] {
  if (Array.isArray(given)) return given;
  const uri = target.kind === 'resource' ? target.uri : '';
  const { mimeType, ...content } = given as ResourceContent;
  if ('text' in content) return [{ uri, mimeType, text: content.text }];
  return [{ uri, mimeType, blob: Buffer.from(content.bytes).toString('base64') }];
}

/** As many as the protocol lets through at once. */
const MAX_SUGGESTIONS = 100;

const completionAnswer = (values: readonly string[]): Answer => ({
  kind: 'completion',
  values: values.slice(0, MAX_SUGGESTIONS),
  more: values.length > MAX_SUGGESTIONS,
});

function textOf(answer: Answer): string {
  switch (answer.kind) {
    case 'tool':
      return answer.text;
    case 'resource':
      return answer.contents.map((part) => ('text' in part ? part.text : part.blob)).join('\n');
    default:
      return JSON.stringify(answer);
  }
}

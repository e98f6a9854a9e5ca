/** Step 16: what goes out has the declared shape, no more than its size, and a verdict. */
import type { PromptMessage } from '../../catalogue/prompt-definition.ts';
import type { ResourceText } from '../../catalogue/resource-definition.ts';
import { sha256Hex } from '../../kernel/canonical-json.ts';
import { SluiceError } from '../../kernel/errors.ts';
import type { Gate } from '../means.ts';
import type { Answer } from '../request.ts';
import type { Checked, Handled } from '../stages.ts';

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
  // Output of our own needs no firewall; a provider's gets its verdict here.
  draft.output(`sha256:${sha256Hex(text)}`, null);
  return { ...handled, answer };
}

function answerOf({ entry, output, request }: Handled): Answer {
  switch (entry.kind) {
    case 'tool': {
      const checked = entry.output.check(output);
      if (checked.ok) return toolAnswer(checked.value as Record<string, unknown>);
      const fields = checked.issues.map((issue) => `${issue.field} ${issue.wanted}`).join('; ');
      throw new SluiceError('internal', `${entry.name} answered in a shape it does not declare (${fields})`);
    }
    case 'resource':
      return {
        kind: 'resource',
        uri: request.target.kind === 'resource' ? request.target.uri : '',
        ...(output as ResourceText),
      };
    case 'prompt':
      return { kind: 'prompt', messages: output as readonly PromptMessage[] };
  }
}

/** Text and structure carry the same facts. */
export function toolAnswer(
  structured: Readonly<Record<string, unknown>>,
): Answer & { readonly kind: 'tool' } {
  return { kind: 'tool', structured, text: JSON.stringify(structured) };
}

function textOf(answer: Answer): string {
  if (answer.kind === 'prompt') return JSON.stringify(answer.messages);
  return answer.text;
}

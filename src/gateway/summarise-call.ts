/** What a person is shown who decides about a call: its arguments and how its answer begins, masked and bounded. */
import type { AnswerHeld } from '../catalogue/answer-held.ts';
import { type Content, type EmbeddedResource, Reply } from '../catalogue/content.ts';
import type { PromptMessage } from '../catalogue/prompt-definition.ts';
import type { ApprovalSummary } from '../domain/governance/approvals/approval.ts';
import type { Gate } from './means.ts';
import type { Valid } from './stages.ts';

const MAX_SHOWN = 2_000;

export function summaryOf(
  use: Pick<Gate, 'mask' | 'maskArguments'>,
  { input }: Valid,
  held?: AnswerHeld,
): ApprovalSummary {
  const given = JSON.stringify(input);
  const said = held && textOf(held);
  const args = use.maskArguments(input);
  const excerpt = said && use.mask(said);
  return {
    arguments: shorten(args),
    ...(held && { verdict: held.verdict, rules: held.rules, excerpt: shorten(excerpt ?? '') }),
    masked: args !== given || excerpt !== said,
  };
}

const textOf = ({ output }: AnswerHeld): string =>
  output instanceof Reply
    ? [
        ...output.content.map(blockText),
        output.structured === undefined ? '' : JSON.stringify(output.structured),
      ]
        .join('\n')
        .trim()
    : partsOf(output.value).map(partText).join('\n');

/** Messages of a prompt, or contents of a resource. */
type Part = PromptMessage | EmbeddedResource;

const partsOf = (value: unknown): readonly Part[] => (Array.isArray(value) ? value : []);

function partText(part: Part): string {
  if ('role' in part) return `${part.role}: ${blockText(part.content)}`;
  return 'text' in part ? part.text : `(${part.uri})`;
}

function blockText(block: Content): string {
  if (block.type === 'text') return block.text;
  if (block.type === 'resource' && 'text' in block.resource) return block.resource.text;
  return block.type === 'resource_link' ? block.uri : `(${block.type})`;
}

const shorten = (text: string): string =>
  text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN).toWellFormed()}…` : text;

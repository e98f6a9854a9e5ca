/** The question to the person at the client whether a call may be made, and what the answer to it means. */
import { z } from 'zod';
import { InputNeeded } from '../catalogue/input-request.ts';
import type { Approval } from '../domain/governance/approvals/approval.ts';

const NAME = 'approval';

export const questionFor = ({ tool, summary, expiresAt }: Approval): InputNeeded =>
  new InputNeeded(
    {
      [NAME]: {
        kind: 'form',
        message: [
          `May "${tool}" be called with exactly these arguments, once, until ${new Date(expiresAt).toISOString()}?`,
          summary.arguments,
        ].join('\n\n'),
        schema: {
          type: 'object',
          properties: {
            approve: { type: 'boolean', title: 'Approve', description: 'Whether the call may be made' },
          },
          required: ['approve'],
        },
      },
    },
    undefined,
  );

const said = z.object({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z.object({ approve: z.unknown() }).partial().optional(),
});

/** Undefined when the question was left without an answer. */
export function answerIn(answers: Readonly<Record<string, unknown>>): boolean | undefined {
  const { data } = said.safeParse(answers[NAME]);
  if (!data || data.action === 'cancel') return undefined;
  return data.action === 'accept' && data.content?.approve === true;
}

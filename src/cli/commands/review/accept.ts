/** An author's yes. */
import { SluiceError } from '../../../kernel/errors.ts';
import { defineCommand, flagOf, given, textOf } from '../../command.ts';
import type { Output } from '../../output.ts';
import { CONTENT_OPTIONS, readContent } from '../../page-content.ts';
import { type Conflict, conflictText } from '../../proposal-text.ts';
import { decide, tellDecision } from '../../review-outcomes.ts';

export const acceptReview = defineCommand({
  path: ['review', 'accept'],
  summary: 'Accept a proposal, or with --run everything one run proposed',
  args: [{ name: 'proposal', summary: 'Its id, from "review list"', optional: true }],
  options: [
    { name: 'run', value: 'run', summary: 'Everything of this run that waits' },
    ...CONTENT_OPTIONS,
    {
      name: 'version',
      value: 'version',
      summary: 'The version of the page you looked at, from "review show"',
    },
    { name: 'note', value: 'text', summary: 'Kept with the proposal' },
    {
      name: 'despite-changes',
      summary: 'Also remove pages, or replace memory, titles, places and files, that were changed since',
    },
    { name: 'workspace', value: 'name', summary: 'In this one' },
  ],
  examples: [
    'review accept 0198c2d4-…',
    'review accept 0198c2d4-… --file edited.md --version v1.abc',
    'review accept --run client:my-agent/nightly',
  ],
  async run(context, input) {
    const wish = given({
      proposal: textOf(input, 'proposal'),
      run: textOf(input, 'run'),
      content: await readContent(input),
      version: textOf(input, 'version'),
      note: textOf(input, 'note'),
      despite_changes: flagOf(input, 'despite-changes'),
    });
    try {
      const answer = await decide(context, 'accept_proposal', wish, textOf(input, 'workspace'));
      tellDecision(context.output, 'accepted', answer);
    } catch (error) {
      showBoth(context.output, error);
      throw error;
    }
  },
});

/** Where both changed the same, both texts are what has to be decided between. */
function showBoth(output: Output, error: unknown): void {
  const conflicts = error instanceof SluiceError ? error.details.conflicts : undefined;
  if (!Array.isArray(conflicts) || conflicts.length === 0) return;
  output.note(`${conflictText(conflicts as readonly Conflict[])}\n`);
  output.note('"review show --text" gives a text to decide it in, for --file and --version');
}

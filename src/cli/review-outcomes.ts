/** Deciding proposals, and what became of them. */
import type { CliContext } from './context.ts';

import type { Output } from './output.ts';

export interface Outcomes {
  readonly outcomes: readonly {
    readonly proposal: string;
    readonly outcome: string;
    readonly batch?: string;
    readonly error?: { readonly message: string };
  }[];
  readonly more: boolean;
}

/** A run may have more than one call decides; what could not be decided stays and is told once. */
export async function decide(
  { withHome }: CliContext,
  tool: 'accept_proposal' | 'reject_proposal',
  wish: Readonly<Record<string, unknown>>,
  workspace: string | undefined,
): Promise<Outcomes> {
  return withHome(async (home) => {
    const told = new Map<string, Outcomes['outcomes'][number]>();
    const word = tool === 'accept_proposal' ? 'accepted' : 'rejected';
    for (;;) {
      const answer = (await home.call(tool, wish, workspace)) as unknown as Outcomes & Decided;
      for (const one of answer.outcomes) told.set(one.proposal, one);
      const outcomes = [...told.values()];
      const done = outcomes.filter(({ outcome }) => outcome === word).length;
      if (!answer.more || answer[word] === 0)
        return { ...answer, [word]: done, refused: outcomes.length - done, outcomes };
    }
  });
}

/** How many of one call. */
type Decided = Readonly<Record<'accepted' | 'rejected', number>>;

/** What was decided and what was not; a script hears of the latter by how the command ends. */
export function tellDecision(output: Output, word: 'accepted' | 'rejected', answer: Outcomes): void {
  output.data(answer, () => decisionText(word, answer));
  const left = answer.outcomes.filter(({ error }) => error).length;
  if (left > 0) output.shortfall(`${left} of ${answer.outcomes.length} could not be ${word}`);
  else if (answer.more) output.shortfall('not all of this run is decided');
}

function decisionText(word: string, { outcomes, more }: Outcomes): string {
  const lines = outcomes.map(({ proposal, outcome, batch, error }) => {
    if (error) return `${proposal}  not ${word}: ${error.message}`;
    const back = batch === undefined ? '' : `; "sluice page restore ${batch}" brings its page back`;
    return `${proposal}  ${outcome}${back}`;
  });
  return [...lines, ...(more ? ['There is more of this run; do it again'] : [])].join('\n');
}

/** What became of the proposals of one decision. */
export interface Outcomes {
  readonly outcomes: readonly {
    readonly proposal: string;
    readonly outcome: string;
    readonly batch?: string;
    readonly error?: { readonly message: string };
  }[];
  readonly more: boolean;
}

export function decisionText(word: string, { outcomes, more }: Outcomes): string {
  const lines = outcomes.map(({ proposal, outcome, batch, error }) => {
    if (error) return `${proposal}  not ${word}: ${error.message}`;
    const back = batch === undefined ? '' : `; "sluice page restore ${batch}" brings its page back`;
    return `${proposal}  ${outcome}${back}`;
  });
  return [...lines, ...(more ? ['There is more of this run; do it again'] : [])].join('\n');
}

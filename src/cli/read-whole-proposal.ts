/** A proposal that is answered in parts, put together. */
import type { HomeClient } from '../app/home-client.ts';
import type { ShownProposal } from './proposal-text.ts';

/** More than anybody reads at a terminal; what is left is said to be. */
const MAX_PARTS = 20;
const MAX_TOKENS = 100_000;

export async function readWhole(
  home: HomeClient,
  wish: Readonly<Record<string, unknown>>,
  workspace: string | undefined,
): Promise<ShownProposal> {
  const part = async (cursor?: string): Promise<ShownProposal> => {
    const input = { ...wish, max_tokens: MAX_TOKENS, ...(cursor !== undefined && { cursor }) };
    return (await home.call('read_proposal', input, workspace)) as unknown as ShownProposal;
  };
  let shown = await part();
  for (let i = 1; i < MAX_PARTS && shown.next_cursor !== undefined; i += 1)
    shown = joined(shown, await part(shown.next_cursor));
  return shown;
}

function joined(before: ShownProposal, after: ShownProposal): ShownProposal {
  const { text } = before;
  return {
    ...after,
    pages: [...before.pages, ...after.pages],
    ...(text &&
      after.text && {
        text: {
          ...after.text,
          diff: text.diff + after.text.diff,
          ...(text.landing_diff !== undefined && {
            landing_diff: text.landing_diff + (after.text.landing_diff ?? ''),
          }),
        },
      }),
  };
}

/** Callers and shorthands for tests of review. */
import type { Sluice, SluiceClient } from '../../src/app/create-sluice.ts';

export type Answer = Record<string, unknown>;

export interface Made {
  readonly id: string;
  readonly version: string;
}

let runs = 0;

/** An agent in a run of its own, or in the given one. */
export function agentOf(sluice: Sluice, name = 'bot', run?: string): SluiceClient {
  runs += 1;
  return sluice.as({ name, role: 'agent', kind: 'agent', run: run ?? `run-${runs}` });
}

export async function create(
  as: SluiceClient,
  title: string,
  content = '',
  more: Answer = {},
): Promise<Made> {
  return (await as.call('create_page', { title, content, ...more })) as unknown as Made;
}

/** The id of the proposal that a call became. */
export async function propose(as: SluiceClient, tool: string, input: Answer): Promise<string> {
  const { proposal } = await as.call(tool, input);
  if (typeof proposal !== 'object' || proposal === null)
    throw new Error(`${tool} was to become a proposal, but landed`);
  return String((proposal as Answer).id);
}

export const rewrite = (as: SluiceClient, page: Made, content: string, more: Answer = {}): Promise<string> =>
  propose(as, 'update_page_content', { page: page.id, content, base_version: page.version, ...more });

export const read = (as: SluiceClient, page: string): Promise<Answer> => as.call('read_page', { page });

export const historyOf = async (as: SluiceClient, page: string): Promise<readonly Answer[]> =>
  (await as.call('get_page_history', { page, limit: 100 })).events as Answer[];

export const listed = async (as: SluiceClient, input: Answer = {}): Promise<readonly Answer[]> =>
  (await as.call('list_proposals', { limit: 100, ...input })).proposals as Answer[];

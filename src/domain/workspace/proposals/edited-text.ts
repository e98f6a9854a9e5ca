/** A text that the author edited before accepting it: what of it is the proposer's lands as such, the rest as the author's. */
import type { KeptCall } from '../../../kernel/accepted-call.ts';
import { SluiceError } from '../../../kernel/errors.ts';
import type { PageId, ProposalId } from '../../../kernel/ids.ts';
import type { Landing } from '../../../kernel/ticket.ts';
import type { WorkspaceMeans } from '../means.ts';
import type { PageHeader } from '../page.ts';
import { checkContent } from '../page-rules.ts';
import { landRevision } from '../revise-page.ts';
import { requireDecided } from './conflict-marks.ts';
import { landOnto } from './land-onto.ts';
import type { Proposal } from './proposal.ts';

export interface EditedText {
  readonly content: string;
  /** The version of the page that the edited text is made for. */
  readonly version?: string | undefined;
}

/** Takes a whole text, whichever way the proposer came to it. */
export const WHOLE_TEXT = 'update_page_content';

/** The call by which the proposer's part lands first; undefined when nothing of it is left. */
export async function proposersPart(
  use: WorkspaceMeans,
  { tx }: Landing,
  proposal: Proposal,
  edited: EditedText,
): Promise<Pick<KeptCall, 'tool' | 'arguments'> | undefined> {
  const content = checkContent(edited.content);
  const page = await use.pages.find(tx, proposal.workspace, proposal.page as PageId);
  const base = proposal.concerns[0]?.version;
  if (!page || proposal.text === null || base === undefined)
    throw new SluiceError('invalid_input', '"content" is for a proposal that changes a text', {
      field: 'content',
    });
  requireDecided(content, page.content);
  const seen = edited.version ?? base;
  if (seen !== page.version) throw stale(page, edited.version);
  const merge = await landOnto(use, tx, proposal, page, page.content, (head, yours) => {
    const taken = [...head, ...yours].filter(({ text }) => content.includes(text));
    return taken.length > 0 ? taken : head;
  });
  if (!merge.ok || merge.text === page.content) return undefined;
  return {
    tool: WHOLE_TEXT,
    arguments: { page: page.id, content: merge.text, base_version: page.version },
  };
}

function stale({ title, version }: PageHeader, given: string | undefined): SluiceError {
  const what =
    given === undefined
      ? `"version" must be given: "${title}" has changed since this was proposed, and your text is made for one version of it`
      : `"${title}" has changed since the version your text is made for`;
  return new SluiceError('conflict', what, { reason: 'stale', field: 'version', version });
}

/** What is left to change of it is the author's, and belongs to the yes: nobody agreed to the text without it. */
export async function landEdited(
  use: WorkspaceMeans,
  landing: Landing,
  { workspace, id }: PageHeader,
  content: string,
  proposal: ProposalId,
): Promise<void> {
  const page = await use.pages.find(landing.tx, workspace, id);
  const details = { accepted_with: proposal };
  if (page) await landRevision(use, landing, page, { content, baseVersion: page.version, details });
}

/** The file that a proposal would put beside a page: whoever is to say yes has to be able to look at it. */
import type { Caller } from '../../../kernel/caller.ts';
import { SluiceError } from '../../../kernel/errors.ts';
import type { WorkspaceId } from '../../../kernel/ids.ts';
import { mayReview } from '../../../kernel/may-review.ts';
import type { ReadScope } from '../../../kernel/ports/unit-of-work.ts';
import type { WorkspaceMeans } from '../means.ts';
import type { Proposal } from './proposal.ts';
import { findProposal } from './review.ts';

export interface ProposedFile {
  /** Where it would lie. */
  readonly path: string;
  readonly mediaType: string;
  /** As they were sent, in base64, or where they are kept. */
  readonly bytes: string | { readonly blob: string };
}

export async function proposedFile(
  use: Pick<WorkspaceMeans, 'proposals'>,
  scope: ReadScope,
  id: string,
  { caller, workspace }: { readonly caller: Caller; readonly workspace: WorkspaceId },
): Promise<ProposedFile> {
  const proposal = await findProposal(use, scope, workspace, id);
  const { bytes, blob, name, media_type: mediaType } = proposal.arguments;
  const file = proposal.concerns[0]?.facts?.find(({ what }) => what === 'file');
  const told = { path: file?.path ?? String(name), mediaType: String(mediaType) };
  if (typeof bytes === 'string') return { ...told, bytes };
  // A digest is no key to bytes that its reader has not seen; who decides, or named it, has.
  if (typeof blob === 'string' && (mayReview(caller) || isOwn(proposal, caller)))
    return { ...told, bytes: { blob } };
  throw new SluiceError('not_found', `The proposal "${id}" would attach no file`, { field: 'proposal' });
}

const isOwn = ({ by }: Proposal, { principal }: Caller): boolean =>
  by.principal.kind === principal.kind && by.principal.id === principal.id;

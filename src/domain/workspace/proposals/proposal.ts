/** A proposal: a call that waits for an author's yes, as it was made, by whom, and from what. */
import type { Principal } from '../../../kernel/caller.ts';
import type {
  CallId,
  CredentialId,
  PageId,
  PrincipalId,
  ProposalId,
  RunId,
  ThreadId,
  WorkspaceId,
} from '../../../kernel/ids.ts';
import type { TextChange } from '../../../kernel/ports/review-desk.ts';
import type { EntityVersion, Origin } from '../../../kernel/submission.ts';

export const PROPOSAL_STATES = ['pending', 'accepted', 'rejected', 'expired'] as const;
export type ProposalState = (typeof PROPOSAL_STATES)[number];

/** A page that an agent made is in the workspace already; what waits is its becoming canonical. */
export const NEW_PAGE = 'create_page';

export interface Proposer {
  readonly principal: Principal;
  readonly role: string;
  readonly credential: CredentialId;
  readonly run: RunId;
  readonly thread: ThreadId | null;
  /** The call that was kept. */
  readonly call: CallId;
}

export interface Decided {
  readonly at: number;
  readonly by: PrincipalId;
  readonly byName: string;
  /** Why it was rejected, or what the author noted with the yes. */
  readonly note: string | null;
}

/** What lists show. */
export interface ProposalEntry {
  readonly id: ProposalId;
  readonly workspace: WorkspaceId;
  /** The page it is about. */
  readonly page: PageId | null;
  /** The tool that was called. */
  readonly op: string;
  readonly origin: Origin;
  readonly by: Proposer;
  readonly summary: string;
  /** What it would change, at the version it was proposed on; the page it is about first. */
  readonly concerns: readonly Concern[];
  /** True when it could not be merged with the page as it was when it was made. */
  readonly overlaps: boolean;
  readonly state: ProposalState;
  readonly createdAt: number;
  /** Null = never. */
  readonly expiresAt: number | null;
  readonly decided: Decided | null;
}

/** What was there when it was proposed, and what would be: a title, the id of a parent, the digest of a file. */
export interface FactChange {
  readonly what: 'title' | 'icon' | 'parent' | 'position' | 'file';
  readonly before: string | null;
  readonly after: string | null;
  /** Of a file. */
  readonly path?: string;
  readonly zone?: string;
}

/** Something the call would change. */
export interface Concern extends EntityVersion {
  /** It would be gone afterwards. */
  readonly removed?: true;
  /** The call was not about it: what would be changed there follows from the rest. */
  readonly follows?: true;
  /** What would become of its text, where that is not the proposal's own. */
  readonly change?: TextChange;
  /** What else of it would be changed; of the first also files. */
  readonly facts?: readonly FactChange[];
  /** Of the first: more would follow than is kept here. */
  readonly more?: true;
}

export interface Proposal extends ProposalEntry {
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly sources: readonly EntityVersion[];
  /** The text its page would have had; null when the text was not to be changed. */
  readonly text: string | null;
}

/** A new page's proposal has the page's id, so that there is never more than one. */
export const newPageProposal = (page: PageId): ProposalId => page as string as ProposalId;

export const isNewPage = ({ id, page }: ProposalEntry): boolean =>
  page !== null && id === newPageProposal(page);

/** As of a moment: a proposal that nobody looked at in time has expired, whether or not that was written down. */
export function stateAt({ state, expiresAt }: ProposalEntry, now: number): ProposalState {
  return state === 'pending' && expiresAt !== null && expiresAt <= now ? 'expired' : state;
}

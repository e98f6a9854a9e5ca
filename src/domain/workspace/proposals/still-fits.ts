/** Whether a proposal could land as things are now. The head moves both ways, so that this is worked out by whoever asks. */
import type { PageId, WorkspaceId } from '../../../kernel/ids.ts';
import type { ReadScope } from '../../../kernel/ports/unit-of-work.ts';
import type { WorkspaceMeans } from '../means.ts';
import type { PageHeader } from '../page.ts';
import { factsNow } from './facts.ts';
import { landOnto } from './land-onto.ts';
import { isNewPage, type ProposalEntry } from './proposal.ts';

/** True when somebody changed the same since: a text, a title, a place, a file, or what would be removed. `page` is the one it is about, as it is. */
export async function overlapsNow(
  use: WorkspaceMeans,
  scope: ReadScope,
  entry: ProposalEntry,
  page: PageHeader | undefined,
  now: number,
): Promise<boolean> {
  if (isNewPage(entry)) return false;
  if (entry.page === null) return otherOverlaps(use, scope, entry, now);
  if (!page || page.trashBatch !== null) return entry.overlaps;
  if ((await factsNow(use, scope, entry)).some(({ clashes, impossible }) => clashes || impossible))
    return true;
  const removed = entry.concerns.filter((one) => one.removed);
  if (removed.length > 0) return anyChanged(use, scope, entry.workspace, removed);
  if (page.version === entry.concerns[0]?.version) return entry.overlaps;
  return mergeFails(use, scope, entry, page);
}

async function otherOverlaps(
  use: WorkspaceMeans,
  scope: ReadScope,
  { workspace, id, overlaps }: ProposalEntry,
  now: number,
): Promise<boolean> {
  const proposal = await use.proposals.find(scope, workspace, id);
  return (proposal && (await use.otherCandidates?.overlaps(scope, proposal, now))) ?? overlaps;
}

async function anyChanged(
  use: Pick<WorkspaceMeans, 'pages'>,
  scope: ReadScope,
  workspace: WorkspaceId,
  removed: ProposalEntry['concerns'],
): Promise<boolean> {
  const versions = new Map(removed.map(({ id, version }) => [id, version]));
  const headers = await use.pages.headers(scope, workspace, [...versions.keys()] as PageId[]);
  return headers.some(({ id, version }) => versions.get(id) !== version);
}

async function mergeFails(
  use: WorkspaceMeans,
  scope: ReadScope,
  entry: ProposalEntry,
  header: PageHeader,
): Promise<boolean> {
  const proposal = await use.proposals.find(scope, entry.workspace, entry.id);
  const strict = proposal?.arguments.if_match;
  if (strict !== undefined && strict !== header.version) return true;
  const page = await use.pages.find(scope, entry.workspace, header.id);
  if (!page || !proposal || proposal.text === null) return entry.overlaps;
  return !(await landOnto(use, scope, proposal, page, page.content)).ok;
}

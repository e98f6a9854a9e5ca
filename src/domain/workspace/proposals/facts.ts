/** What a proposal would change besides texts: titles, icons and places of pages, and the files beside them. */
import { SluiceError } from '../../../kernel/errors.ts';
import type { PageId, WorkspaceId } from '../../../kernel/ids.ts';
import type { Look, Standing } from '../../../kernel/ports/review-desk.ts';
import type { ReadScope } from '../../../kernel/ports/unit-of-work.ts';
import type { WorkspaceMeans } from '../means.ts';
import type { Ancestor, PageHeader } from '../page.ts';
import type { Attachment } from '../ports/file-store.ts';
import type { Concern, FactChange, ProposalEntry } from './proposal.ts';

export interface FactNow extends FactChange {
  readonly page: PageHeader;
  readonly now: string | null;
  /** It is neither what it was nor what it would be: somebody else changed it since. */
  readonly clashes: boolean;
  /** Of a parent: it is gone, or came below the page. */
  readonly impossible: boolean;
}

/** What a rehearsal made of one page, and of files if the call was about that page. */
export function factsOf(before: Look, after: Look, id: string, isFirst: boolean): readonly FactChange[] {
  const files = isFirst ? after.files.map((file): FactChange => ({ what: 'file', ...file })) : [];
  const [was, is] = [before.standing.get(id), after.standing.get(id)];
  return was && is ? [...standingFacts(was, is), ...files] : files;
}

function standingFacts(was: Standing, is: Standing): readonly FactChange[] {
  const change = (what: keyof Standing): FactChange => ({ what, before: was[what], after: is[what] });
  const names = (['title', 'icon'] as const).filter((what) => was[what] !== is[what]).map(change);
  if (was.parent !== is.parent) return [...names, change('parent')];
  // A place among siblings is one only below that parent.
  return was.position === is.position ? names : [...names, change('parent'), change('position')];
}

/** Of the pages that are there and that the reader sees. */
export async function factsNow(
  use: Pick<WorkspaceMeans, 'pages' | 'files'>,
  scope: ReadScope,
  { workspace, concerns }: Pick<ProposalEntry, 'workspace' | 'concerns'>,
): Promise<readonly FactNow[]> {
  const concerned = concerns.filter(({ facts }) => facts !== undefined);
  if (concerned.length === 0) return [];
  const ids = concerned.map(({ id }) => id as PageId);
  const pages = new Map<string, PageHeader>(
    (await use.pages.headers(scope, workspace, ids)).map((page) => [page.id, page]),
  );
  const files = await filesAt(use, scope, workspace, concerned);
  const above = await parentsToCome(use, scope, workspace, concerned);
  return concerned.flatMap(({ id, facts = [] }) => {
    const page = pages.get(id);
    return page ? facts.map((fact) => asNow(fact, page, files, above)) : [];
  });
}

/** Of each parent that a page would get, if it is there, the pages that it stands under, itself the last. */
async function parentsToCome(
  use: Pick<WorkspaceMeans, 'pages'>,
  scope: ReadScope,
  workspace: WorkspaceId,
  concerned: readonly Concern[],
): Promise<ReadonlyMap<string, readonly Ancestor[]>> {
  const parents = concerned.flatMap(({ facts = [] }) =>
    facts.flatMap(({ what, after }) => (what === 'parent' && after !== null ? [after as PageId] : [])),
  );
  if (parents.length === 0) return new Map();
  const headers = await use.pages.headers(scope, workspace, [...new Set(parents)]);
  const live = headers.filter(({ trashBatch }) => trashBatch === null).map(({ id }) => id);
  return use.pages.ways(scope, live);
}

async function filesAt(
  use: Pick<WorkspaceMeans, 'files'>,
  scope: ReadScope,
  workspace: WorkspaceId,
  concerned: readonly Concern[],
): Promise<readonly Attachment[]> {
  const paths = new Set(concerned.flatMap(({ facts = [] }) => facts.flatMap(({ path }) => path ?? [])));
  return paths.size === 0 ? [] : use.files.attachmentsAt(scope, workspace, [...paths]);
}

function asNow(
  fact: FactChange,
  page: PageHeader,
  files: readonly Attachment[],
  above: ReadonlyMap<string, readonly Ancestor[]>,
): FactNow {
  const now = fact.what === 'file' ? digestNow(fact, files) : page[fact.what];
  const way = fact.after === null ? [] : above.get(fact.after);
  return {
    ...fact,
    page,
    now,
    clashes: now !== fact.before && now !== fact.after,
    impossible: fact.what === 'parent' && (!way || way.some(({ id }) => id === page.id)),
  };
}

/** It may have come into another zone since. */
function digestNow({ path, zone, before }: FactChange, files: readonly Attachment[]): string | null {
  const there = files.filter((file) => file.path === path);
  const file = there.find((one) => one.zone === zone) ?? there.find(({ digest }) => digest === before);
  return file?.digest ?? null;
}

const WORDS: Readonly<Record<FactChange['what'], string>> = {
  title: 'got another title',
  icon: 'got another icon',
  parent: 'came to another place',
  position: 'came to another place',
  file: 'got another file',
};

export function overlap(clashing: readonly FactNow[]): SluiceError {
  const [first] = clashing;
  const what = `"${first?.page.title}" ${first ? WORDS[first.what] : ''} since this was proposed; "despite_changes" changes it all the same`;
  const pages = new Map(
    clashing.map(({ page: { id, title, version } }) => [id, { page: id, title, version }]),
  );
  return new SluiceError('conflict', what, {
    reason: 'overlap',
    changed: [...new Set(clashing.map((fact) => fact.what))],
    pages: [...pages.values()].slice(0, 20),
  });
}

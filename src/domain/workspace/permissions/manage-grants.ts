/** Gives and takes permissions on parts of the tree. Each is a change of the workspace like any other. */
import { invalidInput, SluiceError } from '../../../kernel/errors.ts';
import type { WorkspaceId } from '../../../kernel/ids.ts';
import type { ReadScope, WriteTx } from '../../../kernel/ports/unit-of-work.ts';
import { type Level, OUTERMOST } from '../../../kernel/sight.ts';
import { type Landing, requireTicket, type WriteTicket } from '../../../kernel/ticket.ts';
import { FileNames } from '../file-names.ts';
import { findPage } from '../find-page.ts';
import type { WorkspaceMeans } from '../means.ts';
import { nameKey } from '../names.ts';
import { type PageHeader, pathOf } from '../page.ts';
import { workspaceOf } from '../page-rules.ts';
import type { PermissionGrant, PermissionStore, Subject } from '../ports/permission-store.ts';
import { recordChange } from '../record-change.ts';
import type { LiveSights } from './sights.ts';
import { type Looker, seesAll } from './work-out-sight.ts';

export interface PermissionMeans extends Pick<WorkspaceMeans, 'pages' | 'files' | 'events'> {
  readonly permissions: PermissionStore;
  readonly sights: LiveSights;
  /** Those with a token. */
  clients(scope: ReadScope): Promise<readonly Looker[]>;
}

/** Of one workspace: all of them are looked at for every sight. */
const MAX_GRANTS = 1_000;
const MAX_SUBJECT = 200;

/** The whole workspace where no page is named. */
type Where = string | null;

export async function grantPermission(
  use: PermissionMeans,
  ticket: WriteTicket,
  wish: { readonly page: Where; readonly subject: Subject; readonly level: Level },
): Promise<{
  readonly grant: PermissionGrant;
  readonly before: Level | null;
  /** Of the role that it is about, those who are never kept from anything. */
  readonly unbound: readonly string[];
}> {
  const landing = requireTicket(ticket, 'permission', 'land');
  const { tx, submission } = landing;
  const workspace = workspaceOf(submission);
  checkSubject(wish.subject);
  const unbound = await unboundBy(use, tx, wish.subject);
  const page = await pageOf(use, tx, workspace, wish.page);
  const all = await use.permissions.grants(tx, workspace);
  const before = all.find((grant) => isOn(grant, page, wish.subject));
  if (!before && all.length >= MAX_GRANTS)
    throw new SluiceError('conflict', `The workspace has ${MAX_GRANTS} grants already; revoke some first`, {
      reason: 'too_many',
    });
  const by = submission.caller.principal.name;
  const grant = { page: page?.id ?? null, subject: wish.subject, level: wish.level, at: submission.at, by };
  await use.permissions.put(tx, workspace, grant);
  if (page) await bringFiles(use, tx, page);
  const details = { ...detailsOf(grant), ...(before && { before: before.level }) };
  await conclude(use, landing, workspace, 'permission_granted', page, details);
  return { grant, before: before?.level ?? null, unbound };
}

export async function revokePermission(
  use: PermissionMeans,
  ticket: WriteTicket,
  wish: { readonly page: Where; readonly subject: Subject },
): Promise<PermissionGrant> {
  const landing = requireTicket(ticket, 'permission', 'land');
  const { tx, submission } = landing;
  const workspace = workspaceOf(submission);
  const page = await pageOf(use, tx, workspace, wish.page);
  const all = await use.permissions.grants(tx, workspace);
  const grant = all.find((one) => isOn(one, page, wish.subject));
  if (!grant) {
    const where = page ? `"${page.title}"` : 'the whole workspace';
    const what = `Nothing is granted to ${wish.subject.kind} "${wish.subject.name}" on ${where}`;
    throw new SluiceError('not_found', what, { field: 'subject' });
  }
  if (page && all.filter((one) => one.page === page.id).length === 1)
    await refuseTakenNames(use, tx, workspace, page);
  await use.permissions.remove(tx, workspace, grant.page, grant.subject);
  await conclude(use, landing, workspace, 'permission_revoked', page, detailsOf(grant));
  return grant;
}

export interface ListedGrant extends PermissionGrant {
  readonly path: string;
  readonly title: string;
}

/** All of them, or those that hold for a page: its own and those of the pages above it. */
export async function listPermissions(
  use: Pick<PermissionMeans, 'pages' | 'permissions'>,
  scope: ReadScope,
  workspace: WorkspaceId,
  reference?: string,
): Promise<readonly ListedGrant[]> {
  const page = reference === undefined ? undefined : await findPage(use, scope, workspace, reference);
  const all = await use.permissions.grants(scope, workspace);
  const ways = await use.pages.ways(scope, [
    ...new Set([...all.flatMap((grant) => grant.page ?? []), ...(page ? [page.id] : [])]),
  ]);
  const above = page && new Set((ways.get(page.id) ?? []).map((step) => step.id));
  return all
    .filter((grant) => !above || grant.page === null || above.has(grant.page))
    .map((grant) => {
      const way = grant.page === null ? [] : (ways.get(grant.page) ?? []);
      return { ...grant, path: pathOf(way), title: way.at(-1)?.title ?? '' };
    })
    .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

function checkSubject({ kind, name }: Subject): void {
  if (name.trim() === '' || name.length > MAX_SUBJECT)
    throw invalidInput('subject', `must be the name of a ${kind}`);
  if (kind !== 'agent' && name === 'owner')
    throw invalidInput('subject', 'must not be the owner, who is never locked out');
}

/** A grant that binds nobody is refused, or somebody would trust in it. */
async function unboundBy(
  use: PermissionMeans,
  scope: ReadScope,
  { kind, name }: Subject,
): Promise<readonly string[]> {
  if (kind === 'agent') return [];
  const free = (await use.clients(scope)).filter(seesAll);
  if (kind === 'client' && free.some(({ principal }) => principal.name === name)) {
    const instead =
      'add it anew without the origin "authored" or the role "owner", or deny it tools with an access rule';
    throw invalidInput('subject', `must not be "${name}", an author, whom no grant binds; ${instead}`);
  }
  return kind === 'role'
    ? free.filter(({ role }) => role === name).map(({ principal }) => principal.name)
    : [];
}

async function pageOf(
  use: Pick<PermissionMeans, 'pages'>,
  scope: ReadScope,
  workspace: WorkspaceId,
  where: Where,
): Promise<PageHeader | null> {
  return where === null ? null : findPage(use, scope, workspace, where);
}

const isOn = (grant: PermissionGrant, page: PageHeader | null, subject: Subject): boolean =>
  grant.page === (page?.id ?? null) &&
  grant.subject.kind === subject.kind &&
  grant.subject.name === subject.name;

/** What lies in the page's folder and is shown nowhere comes along; what pages show goes with them. */
async function bringFiles(use: PermissionMeans, tx: WriteTx, page: PageHeader): Promise<void> {
  const before = page.zone ?? OUTERMOST;
  if (before === page.id) return;
  const folder = await new FileNames(use, tx, page.workspace).folderOf(page.id);
  if (folder !== '') await use.files.bringUnshown(tx, page.workspace, folder, before, page.id);
}

/** Somebody who did not see the page may have made another of its name beside it, or put a file where one of its lies. */
async function refuseTakenNames(
  use: PermissionMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  page: PageHeader,
): Promise<void> {
  const called = await use.pages.called(scope, workspace, page.parent, nameKey(page.slug));
  const refuse = (what: string): never => {
    throw new SluiceError('conflict', what, { reason: 'name_taken', field: 'page' });
  };
  if (called.some((other) => other.id !== page.id && other.zone !== other.id))
    refuse(`Another page beside "${page.title}" has the slug "${page.slug}"; rename one of them first`);
  const [above] = page.parent === null ? [] : await use.pages.headers(scope, workspace, [page.parent]);
  const [path] = await use.files.sharedPaths(scope, workspace, page.id, above?.zone ?? OUTERMOST);
  if (path !== undefined) refuse(`Another file lies at "${path}" as well; detach one of them first`);
}

const detailsOf = ({ subject, level }: PermissionGrant) => ({
  subject_type: subject.kind,
  subject: subject.name,
  level,
});

async function conclude(
  use: PermissionMeans,
  landing: Landing,
  workspace: WorkspaceId,
  kind: 'permission_granted' | 'permission_revoked',
  page: PageHeader | null,
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  const version = page?.version ?? null;
  await recordChange(use, landing, workspace, [
    { kind, page: page?.id ?? null, beforeVersion: version, afterVersion: version, details },
  ]);
  // Within the unit for those behind it in the same batch, and once more for answers made before it was durable.
  use.sights.changed(workspace);
  landing.tx.afterCommit(() => use.sights.changed(workspace));
}

/** The history of a page or of a run as W3C PROV: versions are entities, calls and runs activities, callers agents. */
import { z } from 'zod';
import { SluiceError } from '../../../kernel/errors.ts';
import type { PageId, RunId, WorkspaceId } from '../../../kernel/ids.ts';
import type { ReadScope } from '../../../kernel/ports/unit-of-work.ts';
import type { EntityVersion } from '../../../kernel/submission.ts';
import { readCursor, writeCursor } from '../cursor.ts';
import { findPage } from '../find-page.ts';
import type { WorkspaceMeans } from '../means.ts';
import type { EventFilter, WorkspaceEvent } from '../ports/event-log.ts';
import { ProvDocument, qualified } from './prov-document.ts';

export type ProvWish = ({ readonly page: string } | { readonly run: string }) & {
  readonly cursor?: string | undefined;
  /** Whether whoever asks may know what that run read. */
  readonly mayKnow: (events: readonly WorkspaceEvent[]) => boolean;
  /** Whether it may know what is in the audit log. */
  readonly mayAudit: boolean;
};

const EVENTS_A_PART = 200;
const READS_A_RUN = 500;
/** Who said yes; only authors can. */
const accepted = z.object({ by: z.string() });
const place = z.object({ before: z.int().min(1) });

export async function exportProvenance(
  use: WorkspaceMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  wish: ProvWish,
): Promise<{ readonly document: ReturnType<ProvDocument['toJson']>; readonly nextCursor?: string }> {
  const filter = await filterOf(use, scope, workspace, wish);
  const before = wish.cursor === undefined ? undefined : readCursor(wish.cursor, place).before;
  const found = await use.events.matching(scope, workspace, filter, EVENTS_A_PART + 1, before);
  if ('run' in wish && (found.length === 0 || !wish.mayKnow(found)))
    throw new SluiceError('not_found', `There is no run "${wish.run}" that changed anything`, {
      field: 'run',
    });
  const events = found.slice(0, EVENTS_A_PART);
  const document = new ProvDocument();
  const sources = await use.events.sourcesOfEvents(
    scope,
    workspace,
    events.map(({ sequence }) => sequence),
  );
  for (const event of events) describeEvent(document, event, sources.get(event.sequence) ?? []);
  for (const [run, own] of Map.groupBy(events, (event) => event.run)) {
    if (!wish.mayKnow(own)) continue;
    await describeRun(use, scope, workspace, document, run);
    if (wish.mayAudit) await describeArguments(use, scope, document, own);
    const read = (await use.trail.ofRun(scope, run as RunId)).slice(0, READS_A_RUN);
    for (const one of await shownOf(use, scope, workspace, read))
      document.relate('used', {
        'prov:activity': runOf(document, run),
        'prov:entity': versionOf(document, one),
      });
  }
  await label(use, scope, workspace, document, events);
  const last = events.at(-1);
  const more = found.length > EVENTS_A_PART && last;
  return {
    document: document.toJson(),
    ...(more && { nextCursor: writeCursor({ before: last.sequence }) }),
  };
}

/** From its first to its last change, as far as the caller sees them. */
async function describeRun(
  use: WorkspaceMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  document: ProvDocument,
  run: string,
): Promise<void> {
  const span = await use.events.spanOfRun(scope, workspace, run);
  if (!span) return;
  document.declare('activity', runName(run), {
    'prov:startTime': new Date(span.startedAt).toISOString(),
    'prov:endTime': new Date(span.endedAt).toISOString(),
  });
}

/** By it a guess at what a call was given can be confirmed: it is for who reads it in the audit log as well. */
async function describeArguments(
  use: WorkspaceMeans,
  scope: ReadScope,
  document: ProvDocument,
  events: readonly WorkspaceEvent[],
): Promise<void> {
  for (const call of new Set(events.map((event) => event.call))) {
    const digest = await use.calls?.argumentsDigest(scope, call);
    if (digest !== undefined) document.declare('activity', `call/${call}`, { 'sluice:arguments': digest });
  }
}

/** The trail is older than what the caller may see now. */
async function shownOf(
  use: WorkspaceMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  entities: readonly EntityVersion[],
): Promise<readonly EntityVersion[]> {
  const ids = entities.map(({ id }) => id as PageId);
  const shown = new Set<string>((await use.pages.headers(scope, workspace, ids)).map(({ id }) => id));
  return entities.filter(({ id }) => shown.has(id));
}

async function filterOf(
  use: WorkspaceMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  wish: ProvWish,
): Promise<EventFilter> {
  if ('run' in wish) return { run: wish.run };
  return { page: (await findPage(use, scope, workspace, wish.page)).id };
}

function describeEvent(
  document: ProvDocument,
  event: WorkspaceEvent,
  sources: readonly EntityVersion[],
): void {
  const at = new Date(event.at).toISOString();
  const call = document.declare('activity', `call/${event.call}`, {
    'prov:startTime': at,
    'prov:endTime': at,
    'sluice:tool': event.tool,
    'sluice:origin': event.origin,
  });
  const agent = agentOf(document, event);
  document.relate('wasAssociatedWith', { 'prov:activity': call, 'prov:agent': agent });
  document.relate('wasInformedBy', { 'prov:informed': call, 'prov:informant': runOf(document, event.run) });
  if (!isPerson(event.principal)) {
    const owner = document.declare('agent', 'agent/owner', { 'prov:type': qualified('prov:Person') });
    document.relate('actedOnBehalfOf', {
      'prov:delegate': agent,
      'prov:responsible': owner,
      'prov:activity': call,
    });
  }
  const yes = accepted.safeParse(event.details.accepted);
  if (yes.success) {
    const by = yes.data.by === 'owner' ? 'owner' : `author:${yes.data.by}`;
    const accepter = agentOf(document, { principal: by, principalName: yes.data.by });
    const role = { 'prov:role': 'accepted' };
    document.relate('wasAssociatedWith', { 'prov:activity': call, 'prov:agent': accepter, ...role });
  }
  if (event.page !== null) describeVersions(document, event, { call, agent, at }, sources);
}

function describeVersions(
  document: ProvDocument,
  event: WorkspaceEvent,
  { call, agent, at }: { readonly call: string; readonly agent: string; readonly at: string },
  sources: readonly EntityVersion[],
): void {
  const id = event.page as string;
  const version = (name: string): string => versionOf(document, { kind: 'page', id, version: name });
  const { beforeVersion, afterVersion } = event;
  if (afterVersion === null) return;
  const after = version(afterVersion);
  if (beforeVersion === afterVersion) {
    const kind = event.kind === 'page_trashed' ? 'wasInvalidatedBy' : 'used';
    document.relate(kind, {
      'prov:entity': after,
      'prov:activity': call,
      'prov:time': at,
      'sluice:kind': event.kind,
    });
    return;
  }
  document.relate('wasGeneratedBy', { 'prov:entity': after, 'prov:activity': call, 'prov:time': at });
  document.relate('wasAttributedTo', { 'prov:entity': after, 'prov:agent': agent });
  document.relate('hadMember', { 'prov:collection': batchOf(document, event), 'prov:entity': after });
  if (beforeVersion !== null)
    document.relate('wasDerivedFrom', {
      'prov:generatedEntity': after,
      'prov:usedEntity': version(beforeVersion),
      'prov:activity': call,
      'prov:type': qualified('prov:Revision'),
    });
  for (const source of sources)
    document.relate('wasDerivedFrom', {
      'prov:generatedEntity': after,
      'prov:usedEntity': versionOf(document, source),
      'prov:activity': call,
    });
}

/** Everything one run made, or one import brought in, by a name of its own. */
function batchOf(document: ProvDocument, { run, origin }: WorkspaceEvent): string {
  const isImport = origin === 'imported';
  const name = `${isImport ? 'import' : 'made'}/${encodeURIComponent(run)}`;
  const batch = document.declare('entity', name, {
    'prov:type': [
      qualified('prov:Bundle'),
      qualified('prov:Collection'),
      qualified(isImport ? 'sluice:Import' : 'sluice:RunOutput'),
    ],
  });
  document.relate('wasGeneratedBy', { 'prov:entity': batch, 'prov:activity': runOf(document, run) });
  return batch;
}

/** A version is a specialisation of its page, or of its memory, which has no version. */
function versionOf(document: ProvDocument, { kind, id, version }: EntityVersion): string {
  const type = kind === 'page' ? 'sluice:Page' : 'sluice:Memory';
  const page = document.declare('entity', `${kind}/${id}`, { 'prov:type': qualified(type) });
  const name = `${kind}/${id}@${encodeURIComponent(version)}`;
  const entity = document.declare('entity', name, { 'prov:type': qualified(`${type}Version`) });
  document.relate('specializationOf', { 'prov:specificEntity': entity, 'prov:generalEntity': page });
  return entity;
}

const runName = (run: string): string => `run/${encodeURIComponent(run)}`;

const runOf = (document: ProvDocument, run: string): string =>
  document.declare('activity', runName(run), { 'prov:type': qualified('sluice:Run') });

function agentOf(
  document: ProvDocument,
  { principal, principalName }: Pick<WorkspaceEvent, 'principal' | 'principalName'>,
): string {
  const type = isPerson(principal) ? 'prov:Person' : 'prov:SoftwareAgent';
  const attributes = { 'prov:type': qualified(type), 'prov:label': principalName };
  return document.declare('agent', `agent/${encodeURIComponent(principal)}`, attributes);
}

const isPerson = (principal: string): boolean => principal === 'owner' || principal.startsWith('author:');

async function label(
  use: WorkspaceMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  document: ProvDocument,
  events: readonly WorkspaceEvent[],
): Promise<void> {
  const ids = new Set<PageId>(events.flatMap(({ page }) => page ?? []));
  for (const { id, title } of await use.pages.headers(scope, workspace, [...ids]))
    document.declare('entity', `page/${id}`, { 'prov:label': title });
}

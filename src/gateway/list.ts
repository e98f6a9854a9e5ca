/** Lists of tools, resources, templates and prompts: what this caller could call, by the same decision as a call. */
import type { Entry } from '../catalogue/catalogue.ts';
import type { Icon } from '../catalogue/content.ts';
import type { Prompt } from '../catalogue/prompt-definition.ts';
import type { Resource } from '../catalogue/resource-definition.ts';
import { type StaleMark, staleMark } from '../catalogue/stale-mark.ts';
import type { Tool } from '../catalogue/tool-definition.ts';
import { describeTool, type WireTool } from '../catalogue/wire-tool.ts';
import type { Grant } from '../domain/governance/credentials.ts';
import type { Caller } from '../kernel/caller.ts';
import { asSluiceError, SluiceError } from '../kernel/errors.ts';
import type { CallId } from '../kernel/ids.ts';
import { AuditDraft } from './audit-draft.ts';
import type { Gate } from './means.ts';
import { recordRefused } from './record-refused.ts';
import type { CallClaims, Presented } from './request.ts';
import { acceptCredential } from './steps/authenticate.ts';
import { switchedOff } from './steps/find-entry.ts';
import { callerOf } from './steps/resolve-caller.ts';
import { type Listing, shownEntries } from './visible-entries.ts';

export type { Listing };

export interface ListRequest {
  readonly presented: Presented;
  readonly claims: CallClaims;
  readonly source: string;
  readonly cursor?: string | undefined;
}

export interface ListedResource extends StaleMark {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  /** A URI, or for templates a URI template. */
  readonly uri: string;
  readonly icons?: readonly Icon[];
}

export interface ListedPrompt extends StaleMark {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: Prompt['arguments'];
  readonly icons?: readonly Icon[];
}

export interface ListedItems {
  readonly tools: WireTool;
  readonly resources: ListedResource;
  readonly templates: ListedResource;
  readonly prompts: ListedPrompt;
}

export interface ListPage<Item> {
  readonly items: readonly Item[];
  readonly nextCursor?: string;
}

export async function list<What extends Listing>(
  use: Gate,
  what: What,
  request: ListRequest,
): Promise<ListPage<ListedItems[What]>> {
  use.audit.reserve();
  const { presented } = request;
  const surface = presented.kind === 'bearer' ? presented.surface : presented.grant.surface;
  const draft = new AuditDraft(use.ids.next<CallId>(), use.clock.now(), 'list', `${what}/list`, surface);
  try {
    const grant = acceptCredential(use, presented);
    draft.holder(grant);
    const caller = await callerOf(use, grant, request.claims);
    draft.caller(caller);
    draft.versions(use.governance.current().policy.version, use.catalogue.version);
    if (!use.governance.current().policy.enabled && surface !== 'admin') {
      draft.refusedBy('off_switch');
      throw switchedOff();
    }
    if (use.rate.take(caller.principal.id) > 0) {
      draft.refusedBy('rate');
      throw new SluiceError('rate_limited', 'Too many calls; try again in 1 s', { retry_after_ms: 1_000 });
    }
    draft.allowed();
    const page = paginate(shownEntries(use, what, caller), request.cursor, use.limits.listPage);
    await use.audit.append(draft.close({ status: 'success' }, use.clock.now()));
    const items = page.entries.map((entry) => describe(entry, grant)) as ListedItems[What][];
    return page.next === undefined ? { items } : { items, nextCursor: page.next };
  } catch (thrown) {
    const error = asSluiceError(thrown);
    const record = draft.close({ status: 'error', code: error.code }, use.clock.now());
    await recordRefused(use, record, request.source);
    throw error;
  }
}

/** What a list shows this caller: names, and which of them are marked. Templates belong to resources. */
export function lookOfList(use: Gate, what: Exclude<Listing, 'templates'>, caller: Caller): string {
  const kinds: readonly Listing[] = what === 'resources' ? ['resources', 'templates'] : [what];
  return kinds
    .flatMap((kind) => shownEntries(use, kind, caller))
    .map((entry) => (entry.staleSince() === null ? entry.name : `${entry.name} stale`))
    .join('\n');
}

/** The cursor names the last entry shown, so a list that grows meanwhile neither repeats nor skips one. */
function paginate(
  entries: readonly Entry[],
  cursor: string | undefined,
  size: number,
): { readonly entries: readonly Entry[]; readonly next?: string } {
  const after = cursor === undefined ? '' : readCursor(cursor);
  const rest = entries.filter((entry) => entry.name > after);
  const page = rest.slice(0, size);
  const last = page.at(-1);
  if (rest.length <= size || !last) return { entries: page };
  return { entries: page, next: Buffer.from(`after:${last.name}`).toString('base64url') };
}

function readCursor(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString();
  if (!/^after:[a-z][A-Za-z0-9_.-]*$/.test(text))
    throw new SluiceError('invalid_request', 'The cursor is not one of ours');
  return text.slice('after:'.length);
}

function describe(entry: Entry, grant: Grant): ListedItems[Listing] {
  switch (entry.kind) {
    case 'tool':
      return describeTool(entry satisfies Tool, grant.nameForm);
    case 'resource':
      return describeResource(entry);
    case 'prompt':
      return {
        ...staleMark(entry),
        name: entry.name,
        title: entry.title,
        description: entry.summary,
        arguments: entry.arguments,
        ...iconsOf(entry),
      };
  }
}

const iconsOf = ({ icons }: Entry): { icons?: readonly Icon[] } => (icons.length > 0 ? { icons } : {});

const describeResource = (resource: Resource): ListedResource => ({
  ...staleMark(resource),
  name: resource.name,
  title: resource.title,
  description: resource.summary,
  mimeType: resource.mimeType,
  uri: resource.uri.text,
  ...iconsOf(resource),
});

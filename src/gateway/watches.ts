/**
 * Follows changes for open connections: which lists look different now, and which resources. Every delivery is
 * decided anew for its caller, so that nobody hears of what it may not see any more.
 */
import type { Resource } from '../catalogue/resource-definition.ts';
import type { Grant } from '../domain/governance/credentials.ts';
import { decide } from '../domain/governance/decision.ts';
import type { Caller } from '../kernel/caller.ts';
import { SluiceError } from '../kernel/errors.ts';
import { faultFields } from '../kernel/log.ts';
import type { EntityChange } from '../kernel/ports/change-feed.ts';
import { lookOfList } from './list.ts';
import type { Gate } from './means.ts';
import type { CallClaims, Outcome } from './request.ts';
import { acceptCredential } from './steps/authenticate.ts';
import { callerOf, reachOf, workspaceOf } from './steps/resolve-caller.ts';
import { changedResources, createTouched } from './touched-resources.ts';

export const WATCHED_LISTS = ['tools', 'resources', 'prompts'] as const;
export type WatchedList = (typeof WATCHED_LISTS)[number];

export type WatchedChange =
  | { readonly kind: 'list'; readonly list: WatchedList }
  | { readonly kind: 'resource'; readonly uri: string };

export interface WatchRequest {
  readonly grant: Grant;
  readonly claims: CallClaims;
  readonly source: string;
  deliver(change: WatchedChange): void;
}

export interface Watch {
  /**
   * A call like any other, decided and recorded; throws when the caller may not see the resource. No change is missed
   * once it stands, which is refused where whoever changes it does not tell.
   */
  follow(uri: string): Promise<{ readonly stands: Promise<void> }>;
  unfollow(uri: string): void;
  close(): void;
}

export interface Watches {
  open(request: WatchRequest): Promise<Watch>;
  /** The policy changed: lists may look different. */
  look(): void;
  close(): void;
}

/** Of one principal at once, and resources of one watch. */
const MAX_WATCHES = 256;
const MAX_RESOURCES = 256;
/** Changes that come together are told together. */
const GATHER_MS = 25;

interface OpenWatch extends WatchRequest {
  readonly caller: Caller;
  /** What each list looked like. */
  readonly lists: Map<WatchedList, string>;
  readonly resources: Map<string, string | null | undefined>;
  /** What tells of those that change outside. */
  readonly outside: Map<string, ReturnType<NonNullable<Resource['updates']>>>;
}

type Follow = (
  target: { readonly kind: 'subscription'; readonly uri: string },
  watch: WatchRequest,
) => Promise<Outcome>;

export function createWatches(use: Gate, call: Follow): Watches {
  const open = new Set<OpenWatch>();
  const touched = createTouched();
  let timer: NodeJS.Timeout | undefined;
  let telling = Promise.resolve();

  const gather = (change: EntityChange): void => {
    if (![...open].some(({ resources }) => resources.size > 0)) return;
    touched.add(change);
    timer ??= setTimeout(() => {
      timer = undefined;
      telling = telling.then(() => tellResources(use, open, touched.take()));
    }, GATHER_MS).unref();
  };
  const stop = use.changes.onChange(gather);

  return {
    async open(request) {
      const { principal } = request.grant;
      if ([...open].filter(({ grant }) => grant.principal.id === principal.id).length >= MAX_WATCHES)
        throw tooMany('subscriptions');
      const caller = await callerOf(use, request.grant, request.claims);
      const watch: OpenWatch = {
        ...request,
        caller,
        lists: new Map(),
        resources: new Map(),
        outside: new Map(),
      };
      for (const list of WATCHED_LISTS) watch.lists.set(list, lookOf(use, watch, list));
      open.add(watch);
      return {
        async follow(uri) {
          if (watch.resources.size >= MAX_RESOURCES && !watch.resources.has(uri))
            throw tooMany('resources in one subscription');
          const outcome = await call({ kind: 'subscription', uri }, request);
          if (!outcome.ok) throw outcome.error;
          if (outcome.answer.kind !== 'subscription' || !open.has(watch))
            return { stands: Promise.resolve() };
          followOutside(use, watch, uri);
          watch.resources.set(uri, outcome.answer.follows);
          return { stands: watch.outside.get(uri)?.stands ?? Promise.resolve() };
        },
        unfollow: (uri) => unfollow(watch, uri),
        close() {
          open.delete(watch);
          endOutside(watch);
        },
      };
    },
    look() {
      for (const watch of open) tellLists(use, watch);
    },
    close() {
      stop();
      clearTimeout(timer);
      for (const watch of open) endOutside(watch);
      open.clear();
    },
  };
}

function followOutside(use: Gate, watch: OpenWatch, uri: string): void {
  const found = use.catalogue.resource(uri);
  if (!found?.resource.updates || watch.outside.has(uri)) return;
  const changed = (): void => {
    const resource = use.catalogue.resource(uri)?.resource;
    if (resource && mayHear(use, watch.grant) && mayUse(use, watch, resource))
      watch.deliver({ kind: 'resource', uri });
  };
  const outside = found.resource.updates(found.variables, watch.caller, changed);
  watch.outside.set(uri, outside);
  outside.stands.catch(() => watch.outside.get(uri) === outside && unfollow(watch, uri));
}

function unfollow({ resources, outside }: OpenWatch, uri: string): void {
  resources.delete(uri);
  outside.get(uri)?.end();
  outside.delete(uri);
}

function endOutside({ outside }: OpenWatch): void {
  for (const { end } of outside.values()) end();
  outside.clear();
}

function tellLists(use: Gate, watch: OpenWatch): void {
  for (const [list, before] of watch.lists) {
    const now = lookOf(use, watch, list);
    if (now === before) continue;
    watch.lists.set(list, now);
    if (mayHear(use, watch.grant)) watch.deliver({ kind: 'list', list });
  }
}

async function tellResources(
  use: Gate,
  open: ReadonlySet<OpenWatch>,
  touched: ReturnType<ReturnType<typeof createTouched>['take']>,
): Promise<void> {
  for (const watch of open) {
    const workspace = workspaceOf(use, watch.grant, watch.claims);
    const ids = workspace && touched.get(workspace);
    if (!ids || watch.resources.size === 0 || !mayHear(use, watch.grant)) continue;
    try {
      const caller = { ...callerNow(use, watch), context: { ...watch.caller.context, workspace } };
      for (const uri of await changedResources(use, caller, watch.resources, workspace, ids)) {
        const resource = use.catalogue.resource(uri)?.resource;
        if (resource && mayUse(use, watch, resource)) watch.deliver({ kind: 'resource', uri });
      }
    } catch (error) {
      // Who follows hears of the next change; the store says elsewhere that it does not work.
      use.log.warn('changes_not_told', faultFields(error));
    }
  }
}

const lookOf = (use: Gate, watch: OpenWatch, list: WatchedList): string =>
  lookOfList(use, list, callerNow(use, watch));

const mayUse = (use: Gate, watch: OpenWatch, entry: Parameters<typeof decide>[2]): boolean =>
  decide(use.governance.current().policy, callerNow(use, watch), entry).allowed;

const callerNow = (use: Gate, { caller, grant }: OpenWatch): Caller => ({
  ...caller,
  ...reachOf(use.governance.current().policy, grant),
});

/** Nobody hears anything while everything is switched off. */
function mayHear(use: Gate, grant: Grant): boolean {
  if (!use.governance.current().policy.enabled) return false;
  try {
    acceptCredential(use, { kind: 'grant', grant });
    return true;
  } catch {
    return false;
  }
}

const tooMany = (what: string): SluiceError =>
  new SluiceError('rate_limited', `There are too many ${what}; give one up first`);

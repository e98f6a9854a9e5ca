/** Sluice in process: the same catalogue through the same pipeline, for a caller that the program vouches for. */

import type { Progress } from '../catalogue/call-context.ts';
import type { Family } from '../catalogue/family.ts';
import type { PromptMessage } from '../catalogue/prompt-definition.ts';
import type { WireTool } from '../catalogue/wire-tool.ts';
import { findHome } from '../config/home.ts';
import type { Config } from '../config/keys.ts';
import { loadConfig } from '../config/load-config.ts';
import { type Grant, OWNER } from '../domain/governance/credentials.ts';
import { onAbort } from '../gateway/calls-in-flight.ts';
import { type Answer, type CallClaims, factsOf, type Target } from '../gateway/request.ts';
import type { PrincipalKind } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { SluiceError } from '../kernel/errors.ts';
import type { CredentialId, PrincipalId, WorkspaceId } from '../kernel/ids.ts';
import { type Log, silentLog } from '../kernel/log.ts';
import type { Scope } from '../kernel/scopes.ts';
import type { Origin } from '../kernel/submission.ts';
import { type App, composeApp } from './compose.ts';

/** Who the calls are made for. The program is trusted to say; everything after that is checked as for anybody. */
export interface SluiceCaller {
  readonly name: string;
  readonly role?: string;
  readonly kind?: PrincipalKind;
  /** Fewer than the role has. */
  readonly scopes?: readonly Scope[];
  readonly origin?: Origin;
  /** A workspace's id; without it the current one. */
  readonly workspace?: string;
  readonly run?: string;
  readonly thread?: string;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (step: Progress) => void;
}

export interface SluiceClient {
  /** The structured result; throws a `SluiceError` for everything that is refused or fails. */
  call(
    tool: string,
    input?: Readonly<Record<string, unknown>>,
    options?: CallOptions,
  ): Promise<Record<string, unknown>>;
  listTools(): Promise<readonly WireTool[]>;
  /** Text as it is, bytes as base64 in `blob`. */
  readResource(
    uri: string,
  ): Promise<{ readonly mimeType: string; readonly text?: string; readonly blob?: string }>;
  getPrompt(name: string, input?: Readonly<Record<string, string>>): Promise<readonly PromptMessage[]>;
}

export interface Sluice extends SluiceClient {
  /** The same Sluice for another caller. */
  as(caller: SluiceCaller): SluiceClient;
  close(): Promise<void>;
}

export interface SluiceOptions {
  /** The folder with everything in it; by default the same as the CLI's. */
  readonly home?: string;
  /** By default the owner. */
  readonly caller?: SluiceCaller;
  readonly config?: Partial<Config>;
  readonly families?: readonly Family[];
  readonly log?: Log;
  readonly clock?: Clock;
}

export async function createSluice(options: SluiceOptions = {}): Promise<Sluice> {
  const home = findHome(options.home);
  const { config } = loadConfig(home, undefined, options.config);
  const app = await composeApp({
    home,
    config,
    log: options.log ?? silentLog,
    ...(options.clock && { clock: options.clock }),
    ...(options.families && { families: options.families }),
  });
  const owner: SluiceCaller = { name: OWNER.name, role: 'owner', kind: 'author', origin: 'authored' };
  return {
    ...clientOf(app, options.caller ?? owner),
    as: (caller) => clientOf(app, caller),
    close: () => app.close(),
  };
}

function clientOf(app: App, caller: SluiceCaller): SluiceClient {
  const presented = { kind: 'grant', grant: grantOf(caller) } as const;
  const claims: CallClaims = { run: caller.run, thread: caller.thread };

  async function ask<Kind extends Target['kind']>(
    target: Target & { readonly kind: Kind },
    { signal, ...options }: CallOptions = {},
  ): Promise<Answer & { readonly kind: Kind }> {
    const outcome = await app.gateway.call({
      target,
      presented,
      claims,
      source: 'in-process',
      ...options,
      ...(signal && { onCancel: onAbort(signal) }),
    });
    if (!outcome.ok) throw outcome.error;
    return outcome.answer as Answer & { readonly kind: Kind };
  }

  return {
    async call(name, input = {}, options) {
      return factsOf(await ask({ kind: 'tool', name, arguments: input }, options));
    },
    async listTools() {
      const tools: WireTool[] = [];
      let cursor: string | undefined;
      do {
        const page = await app.gateway.list('tools', { presented, claims, source: 'in-process', cursor });
        tools.push(...page.items);
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return tools;
    },
    async readResource(uri) {
      const { contents } = await ask({ kind: 'resource', uri });
      const [{ uri: _, ...content } = { uri, mimeType: 'text/plain', text: '' }] = contents;
      return content;
    },
    async getPrompt(name, input = {}) {
      return (await ask({ kind: 'prompt', name, arguments: input })).messages;
    },
  };
}

function grantOf(caller: SluiceCaller): Grant {
  if (caller.name === '') throw new SluiceError('invalid_input', '"caller.name" must not be empty');
  const kind = caller.kind ?? (caller.origin === 'authored' ? 'author' : 'client');
  return {
    credential: `in-process:${caller.name}` as CredentialId,
    principal: {
      kind,
      id: (caller.name === OWNER.name ? OWNER.id : `${kind}:${caller.name}`) as PrincipalId,
      name: caller.name,
    },
    role: caller.role ?? 'client',
    scopes: caller.scopes ?? null,
    workspace: (caller.workspace ?? null) as WorkspaceId | null,
    origin: caller.origin ?? 'agent-produced',
    nameForm: 'dotted',
    surface: 'in-process',
  };
}

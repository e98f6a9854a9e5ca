/**
 * What governs, in memory: read at start, again after every change made here, and again when another process
 * changed it. Whoever decides asks `current`, so a change is in force the moment it is answered.
 */
import type { Toolset } from '../../kernel/caller.ts';
import type { CredentialId } from '../../kernel/ids.ts';
import type { ReadScope, UnitOfWork } from '../../kernel/ports/unit-of-work.ts';
import { DEFAULT_RULES } from './access-rules.ts';
import type { Credential } from './credentials.ts';
import type { Policy } from './decision.ts';
import type { GovernanceStore, StoredGovernance } from './governance-store.ts';
import { DEFAULT_ROLES } from './roles.ts';
import { readSettings, type Settings } from './settings.ts';
import { readOffers, readToolsets, TOOLSETS_SETTING } from './toolsets.ts';

export interface Governance {
  readonly version: number;
  readonly settings: Settings;
  readonly policy: Policy;
  credential(id: CredentialId): Credential | undefined;
  byDigest(digest: string): Credential | undefined;
  readonly credentials: readonly Credential[];
  readonly toolsets: ReadonlyMap<string, Toolset>;
  /** The owner's token in sealed form. */
  readonly sealedOwnerToken: string | undefined;
}

export type GovernanceListener = (now: Governance, before: Governance) => void;

export interface GovernanceState {
  current(): Governance;
  /** As a running transaction sees it; whoever changes something decides on this. */
  within(scope: ReadScope): Promise<Governance>;
  /** Reads again if the store has a newer version. */
  refresh(): Promise<void>;
  /** Called after every change that came into force. */
  onChange(listener: GovernanceListener): () => void;
}

export async function createGovernanceState(use: {
  readonly units: UnitOfWork;
  readonly store: GovernanceStore;
}): Promise<GovernanceState> {
  const listeners = new Set<GovernanceListener>();
  let current = toGovernance(await use.units.read((scope) => use.store.load(scope)));
  return {
    current: () => current,
    within: async (scope) => toGovernance(await use.store.load(scope)),
    async refresh() {
      const loaded = await use.units.read(async (scope) => {
        const version = await use.store.version(scope);
        return version === current.version ? undefined : use.store.load(scope);
      });
      if (!loaded || loaded.version <= current.version) return;
      const before = current;
      current = toGovernance(loaded);
      for (const listener of listeners) listener(current, before);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const OWNER_TOKEN_SETTING = 'mcp_token';

function toGovernance(stored: StoredGovernance): Governance {
  const settings = readSettings(stored.settings);
  const byId = new Map(stored.credentials.map((credential) => [credential.id, credential]));
  const byDigest = new Map(stored.credentials.map((credential) => [credential.tokenDigest, credential]));
  const toolsets = readToolsets(stored.settings.get(TOOLSETS_SETTING));
  const sealed = stored.settings.get(OWNER_TOKEN_SETTING);
  return {
    version: stored.version,
    settings,
    policy: { ...toPolicy(stored, settings), offers: readOffers(stored.credentials, toolsets) },
    credential: (id) => byId.get(id),
    byDigest: (digest) => byDigest.get(digest),
    credentials: stored.credentials,
    toolsets,
    sealedOwnerToken: typeof sealed === 'string' ? sealed : undefined,
  };
}

function toPolicy(stored: StoredGovernance, settings: Settings): Policy {
  const removed = new Set(stored.removedRules);
  return {
    version: stored.version,
    enabled: settings.mcp_enabled,
    disabledTools: settings.disabled_tools,
    roles: new Map([...DEFAULT_ROLES, ...stored.roles].map((role) => [role.name, role])),
    rules: [...DEFAULT_RULES.filter((rule) => !removed.has(rule.id)), ...stored.rules],
  };
}

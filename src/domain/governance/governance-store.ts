/** The port to what governs: credentials, roles, rules and settings. Every write bumps the version they share. */
import type { CredentialId, RuleId } from '../../kernel/ids.ts';
import type { ReadScope, WriteTx } from '../../kernel/ports/unit-of-work.ts';
import type { AccessRule } from './access-rules.ts';
import type { Credential } from './credentials.ts';
import type { Role } from './roles.ts';
import type { ToolOffer } from './toolsets.ts';

export interface StoredGovernance {
  readonly version: number;
  readonly credentials: readonly Credential[];
  /** Only those that differ from the defaults. */
  readonly roles: readonly Role[];
  readonly rules: readonly AccessRule[];
  /** Default rules that were taken away. */
  readonly removedRules: readonly RuleId[];
  readonly settings: ReadonlyMap<string, unknown>;
}

export interface GovernanceStore {
  version(scope: ReadScope): Promise<number>;
  load(scope: ReadScope): Promise<StoredGovernance>;
  addCredential(tx: WriteTx, credential: Credential): Promise<void>;
  setOffer(tx: WriteTx, id: CredentialId, offer: ToolOffer): Promise<void>;
  revokeCredential(tx: WriteTx, id: CredentialId, at: number): Promise<void>;
  putRole(tx: WriteTx, role: Role): Promise<void>;
  putRule(tx: WriteTx, rule: AccessRule): Promise<void>;
  removeRule(tx: WriteTx, id: RuleId): Promise<void>;
  putSetting(tx: WriteTx, key: string, value: unknown): Promise<void>;
}

/** Credentials, roles, rules and settings in SQL. Every write also raises the version that other processes watch. */
import type { Kysely } from 'kysely';
import type { AccessRule } from '../../domain/governance/access-rules.ts';
import type { Credential } from '../../domain/governance/credentials.ts';
import type { GovernanceStore } from '../../domain/governance/governance-store.ts';
import type { Role } from '../../domain/governance/roles.ts';
import type { CredentialId, RuleId, WorkspaceId } from '../../kernel/ids.ts';
import type { WriteTx } from '../../kernel/ports/unit-of-work.ts';
import type { Database } from './schema.ts';
import { reading, writing } from './scopes.ts';

export const governanceStore: GovernanceStore = {
  version: async (scope) => readVersion(reading(scope)),

  async load(scope) {
    const db = reading(scope);
    const [credentials, roles, rules, removed, settings] = [
      await db.selectFrom('credential').selectAll().orderBy('created_at').orderBy('id').execute(),
      await db.selectFrom('role').selectAll().orderBy('name').execute(),
      await db.selectFrom('access_rule').selectAll().orderBy('id').execute(),
      await db.selectFrom('removed_rule').select('id').execute(),
      await db.selectFrom('setting').selectAll().execute(),
    ];
    return {
      version: await readVersion(db),
      credentials: credentials.map(toCredential),
      roles: roles.map(toRole),
      rules: rules.map(toRule),
      removedRules: removed.map(({ id }) => id as RuleId),
      settings: new Map(settings.map(({ key, value }) => [key, JSON.parse(value) as unknown])),
    };
  },

  async addCredential(tx, credential) {
    await (await raiseVersion(tx)).insertInto('credential').values(fromCredential(credential)).execute();
  },

  async setOffer(tx, id, offer) {
    const db = await raiseVersion(tx);
    await db
      .updateTable('credential')
      .set({ offer: JSON.stringify(offer) })
      .where('id', '=', id)
      .execute();
  },

  async revokeCredential(tx, id, at) {
    const db = await raiseVersion(tx);
    await db.updateTable('credential').set({ revoked_at: at }).where('id', '=', id).execute();
  },

  async putRole(tx, { name, tools, scopes, reach, version }) {
    const row = { tools: JSON.stringify(tools), scopes: JSON.stringify(scopes), reach, version };
    await (await raiseVersion(tx))
      .insertInto('role')
      .values({ name, ...row })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
      .execute();
  },

  async putRule(tx, rule) {
    await (await raiseVersion(tx)).insertInto('access_rule').values(fromRule(rule)).execute();
  },

  async removeRule(tx, id) {
    const db = await raiseVersion(tx);
    await db.deleteFrom('access_rule').where('id', '=', id).execute();
    // The defaults are in no table, so what was taken from them is remembered.
    await db
      .insertInto('removed_rule')
      .values({ id })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  },

  async putSetting(tx, key, value) {
    const text = JSON.stringify(value);
    await (await raiseVersion(tx))
      .insertInto('setting')
      .values({ key, value: text })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: text }))
      .execute();
  },
};

async function readVersion(db: Kysely<Database>): Promise<number> {
  const row = await db.selectFrom('governance').select('version').executeTakeFirstOrThrow();
  return row.version;
}

async function raiseVersion(tx: WriteTx): Promise<Kysely<Database>> {
  const db = writing(tx);
  await db
    .updateTable('governance')
    .set((row) => ({ version: row('version', '+', 1) }))
    .execute();
  return db;
}

function toCredential(row: Database['credential']): Credential {
  return {
    id: row.id as CredentialId,
    kind: row.kind as Credential['kind'],
    name: row.name,
    tokenDigest: row.token_digest,
    role: row.role,
    scopes: row.scopes === null ? null : JSON.parse(row.scopes),
    workspace: row.workspace_id as WorkspaceId | null,
    origin: row.origin as Credential['origin'],
    nameForm: row.name_form as Credential['nameForm'],
    ...(row.offer !== null && { offer: JSON.parse(row.offer) }),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
  };
}

function fromCredential(credential: Credential): Database['credential'] {
  return {
    id: credential.id,
    kind: credential.kind,
    name: credential.name,
    token_digest: credential.tokenDigest,
    role: credential.role,
    scopes: credential.scopes === null ? null : JSON.stringify(credential.scopes),
    workspace_id: credential.workspace,
    origin: credential.origin,
    name_form: credential.nameForm,
    offer: credential.offer ? JSON.stringify(credential.offer) : null,
    created_at: credential.createdAt,
    expires_at: credential.expiresAt,
    revoked_at: credential.revokedAt,
  };
}

const toRole = (row: Database['role']): Role => ({
  name: row.name,
  tools: JSON.parse(row.tools),
  scopes: JSON.parse(row.scopes),
  reach: row.reach as Role['reach'],
  version: row.version,
});

const toRule = (row: Database['access_rule']): AccessRule => ({
  id: row.id as RuleId,
  subjectType: row.subject_type as AccessRule['subjectType'],
  subjectId: row.subject_id,
  resourceType: row.resource_type as AccessRule['resourceType'],
  pattern: row.pattern,
  effect: row.effect as AccessRule['effect'],
  priority: row.priority,
  reason: row.reason,
});

const fromRule = (rule: AccessRule): Database['access_rule'] => ({
  id: rule.id,
  subject_type: rule.subjectType,
  subject_id: rule.subjectId,
  resource_type: rule.resourceType,
  pattern: rule.pattern,
  effect: rule.effect,
  priority: rule.priority,
  reason: rule.reason,
});

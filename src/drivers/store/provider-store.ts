/** Providers in SQL. Every change raises the version that other processes watch. */
import type { Provider, ProviderMove, ProviderStore } from '../../domain/providers/ports/provider-store.ts';
import type { Database } from './schema.ts';
import { reading, writing } from './scopes.ts';

export const providerStore: ProviderStore = {
  async version(scope) {
    const row = await reading(scope)
      .selectFrom('provider_version')
      .select('version')
      .executeTakeFirstOrThrow();
    return row.version;
  },

  async all(scope) {
    const rows = await reading(scope)
      .selectFrom('provider')
      .selectAll()
      .where('state', '!=', 'REMOVED')
      .orderBy('id')
      .execute();
    return rows.map(toProvider);
  },

  async find(scope, id) {
    const row = await reading(scope)
      .selectFrom('provider')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
    return row && toProvider(row);
  },

  async put(tx, provider) {
    const db = writing(tx);
    const { id, ...row } = fromProvider(provider);
    await db
      .updateTable('provider_version')
      .set((version) => ({ version: version('version', '+', 1) }))
      .execute();
    await db
      .insertInto('provider')
      .values({ id, ...row })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute();
  },

  async note(tx, move) {
    const db = writing(tx);
    const last = await db
      .selectFrom('provider_move')
      .select(({ fn }) => fn.max('number').as('number'))
      .where('provider_id', '=', move.provider)
      .executeTakeFirst();
    await db
      .insertInto('provider_move')
      .values({
        provider_id: move.provider,
        number: Number(last?.number ?? 0) + 1,
        at: move.at,
        from_state: move.from,
        to_state: move.to,
        reason_code: move.reasonCode,
        reason: move.reason,
        actor: move.actor,
        call_id: move.call,
      })
      .execute();
  },

  async moves(scope, id, limit) {
    const rows = await reading(scope)
      .selectFrom('provider_move')
      .selectAll()
      .where('provider_id', '=', id)
      .orderBy('number', 'desc')
      .limit(limit)
      .execute();
    return rows.map(toMove);
  },
};

const parsed = <T>(text: string | null): T | null => (text === null ? null : (JSON.parse(text) as T));

function toProvider(row: Database['provider']): Provider {
  return {
    profile: JSON.parse(row.profile),
    state: row.state as Provider['state'],
    reasonCode: row.reason_code as Provider['reasonCode'],
    reason: row.reason,
    seen: parsed(row.seen),
    admitted: parsed(row.admitted),
    findings: JSON.parse(row.findings),
    drift: JSON.parse(row.drift),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function fromProvider(provider: Provider): Database['provider'] {
  return {
    id: provider.profile.id,
    profile: JSON.stringify(provider.profile),
    state: provider.state,
    reason_code: provider.reasonCode,
    reason: provider.reason,
    seen: provider.seen && JSON.stringify(provider.seen),
    admitted: provider.admitted && JSON.stringify(provider.admitted),
    findings: JSON.stringify(provider.findings),
    drift: JSON.stringify(provider.drift),
    created_at: provider.createdAt,
    updated_at: provider.updatedAt,
  };
}

const toMove = (row: Database['provider_move']): ProviderMove => ({
  provider: row.provider_id,
  at: row.at,
  from: row.from_state as ProviderMove['from'],
  to: row.to_state as ProviderMove['to'],
  reasonCode: row.reason_code as ProviderMove['reasonCode'],
  reason: row.reason,
  actor: row.actor,
  call: row.call_id,
});

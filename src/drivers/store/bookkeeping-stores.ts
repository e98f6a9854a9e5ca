/** What the gateway keeps beside the audit log: the read trail and results for retries. */
import type { KeptResults } from '../../domain/governance/kept-results.ts';
import type { ReadTrail } from '../../domain/governance/read-trail.ts';
import type { EntityVersion } from '../../kernel/submission.ts';
import { reading, writing } from './scopes.ts';

export const readTrail: ReadTrail = {
  async ofRun(scope, run) {
    const rows = await reading(scope)
      .selectFrom('read_trail')
      .select(['kind', 'entity_id', 'version'])
      .where('run_id', '=', run)
      .orderBy('at')
      .orderBy('entity_id')
      .execute();
    const newest = new Map<string, EntityVersion>();
    for (const row of rows) {
      newest.set(row.entity_id, {
        kind: row.kind as EntityVersion['kind'],
        id: row.entity_id,
        version: row.version,
      });
    }
    return [...newest.values()];
  },
};

export const keptResults: KeptResults = {
  async find(scope, { principal, tool, key }) {
    const row = await reading(scope)
      .selectFrom('kept_result')
      .select(['input_digest', 'result', 'at'])
      .where('principal_id', '=', principal)
      .where('tool', '=', tool)
      .where('key', '=', key)
      .executeTakeFirst();
    return row && { inputDigest: row.input_digest, result: row.result, at: row.at };
  },

  async keep(tx, { principal, tool, key }, { inputDigest, result, at }, expired) {
    const db = writing(tx);
    await db.deleteFrom('kept_result').where('at', '<', expired).execute();
    const row = { input_digest: inputDigest, result, at };
    await db
      .insertInto('kept_result')
      .values({ principal_id: principal, tool, key, ...row })
      .onConflict((conflict) => conflict.columns(['principal_id', 'tool', 'key']).doUpdateSet(row))
      .execute();
  },
};

/** Who wrote which block, in SQL. */
import type { Selectable } from 'kysely';
import type {
  Attribution,
  Authorship,
  ProvenanceStore,
} from '../../domain/workspace/ports/provenance-store.ts';
import type { PrincipalKind } from '../../kernel/caller.ts';
import { canonicalJson, sha256Hex } from '../../kernel/canonical-json.ts';
import type { BlockId, PageId } from '../../kernel/ids.ts';
import type { Origin } from '../../kernel/submission.ts';
import { inPieces } from './chunks.ts';
import type { Database } from './schema.ts';
import { reading, writing } from './scopes.ts';

export const provenanceStore: ProvenanceStore = {
  async keep(tx, attribution) {
    const db = writing(tx);
    const row = toRow(attribution);
    const kept = db.selectFrom('attribution').select('number').where('key', '=', row.key);
    const known = await kept.executeTakeFirst();
    if (known) return Number(known.number);
    const { number } = await db
      .insertInto('attribution')
      .values(row)
      .returning('number')
      .executeTakeFirstOrThrow();
    const sources = attribution.sources.map(({ kind, id, version }) => ({
      attribution: Number(number),
      source_kind: kind,
      source_id: id,
      source_version: version,
    }));
    await inPieces(sources, async (piece) => {
      await db
        .insertInto('attribution_source')
        .values([...piece])
        .execute();
      return [];
    });
    return Number(number);
  },

  async attributions(scope, numbers) {
    const db = reading(scope);
    const rows = await inPieces(numbers, (piece) =>
      db.selectFrom('attribution').selectAll().where('number', 'in', piece).execute(),
    );
    const sources = await inPieces(numbers, (piece) =>
      db
        .selectFrom('attribution_source')
        .selectAll()
        .where('attribution', 'in', piece)
        .orderBy('source_id')
        .execute(),
    );
    const byNumber = Map.groupBy(sources, (row) => row.attribution);
    return new Map(
      rows.map((row) => [Number(row.number), toAttribution(row, byNumber.get(row.number) ?? [])]),
    );
  },

  async ofBlocks(scope, blocks) {
    const rows = await inPieces(blocks, (piece) =>
      reading(scope).selectFrom('block_provenance').selectAll().where('block_id', 'in', piece).execute(),
    );
    return new Map(rows.map((row) => [row.block_id as BlockId, toAuthorship(row)]));
  },

  async pageOf(scope, block) {
    const row = await reading(scope)
      .selectFrom('block_provenance')
      .select('page_id')
      .where('block_id', '=', block)
      .executeTakeFirst();
    return row?.page_id as PageId | undefined;
  },

  async put(tx, blocks) {
    const rows = blocks.map(({ page, block, authorship }) => ({
      block_id: block as string,
      page_id: page as string,
      ...toColumns(authorship),
    }));
    await inPieces(rows, async (piece) => {
      await writing(tx)
        .insertInto('block_provenance')
        .values([...piece])
        .onConflict((conflict) =>
          conflict.column('block_id').doUpdateSet((row) => ({
            written_by: row.ref('excluded.written_by'),
            restored_by: row.ref('excluded.restored_by'),
            touched_by: row.ref('excluded.touched_by'),
          })),
        )
        .execute();
      return [];
    });
  },

  async remove(tx, blocks) {
    await inPieces(blocks, async (piece) => {
      await writing(tx).deleteFrom('block_provenance').where('block_id', 'in', piece).execute();
      return [];
    });
  },

  async remember(tx, page, texts) {
    const rows = texts.map(([digest, authorship]) => ({ page_id: page, digest, ...toColumns(authorship) }));
    await inPieces(rows, async (piece) => {
      await writing(tx)
        .insertInto('former_block')
        .values([...piece])
        .onConflict((conflict) => conflict.columns(['page_id', 'digest', 'touched_by']).doNothing())
        .execute();
      return [];
    });
  },

  async former(scope, page, digests) {
    const rows = await inPieces(digests, (piece) =>
      reading(scope)
        .selectFrom('former_block')
        .selectAll()
        .where('page_id', '=', page)
        .where('digest', 'in', piece)
        .orderBy('touched_by')
        .execute(),
    );
    const byDigest = Map.groupBy(rows, (row) => row.digest);
    return new Map([...byDigest].map(([digest, some]) => [digest, some.map(toAuthorship)]));
  },
};

function toRow(attribution: Attribution): Omit<Selectable<Database['attribution']>, 'number'> {
  const row = {
    principal_kind: attribution.principalKind,
    principal_id: attribution.principal,
    principal_name: attribution.principalName,
    run_id: attribution.run,
    tool: attribution.tool,
    call_id: attribution.call,
    origin: attribution.origin,
    at: attribution.at,
    accepted_by: attribution.acceptedBy,
    undoes: attribution.undoes,
  };
  return { ...row, key: sha256Hex(canonicalJson({ ...row, sources: attribution.sources })) };
}

const toAttribution = (
  row: Selectable<Database['attribution']>,
  sources: readonly Database['attribution_source'][],
): Attribution => ({
  principalKind: row.principal_kind as PrincipalKind,
  principal: row.principal_id,
  principalName: row.principal_name,
  run: row.run_id,
  tool: row.tool,
  call: row.call_id,
  origin: row.origin as Origin,
  at: row.at,
  acceptedBy: row.accepted_by,
  undoes: row.undoes,
  sources: sources.map(({ source_id, source_version }) => ({
    kind: 'page',
    id: source_id,
    version: source_version,
  })),
});

type Columns = Pick<Database['block_provenance'], 'written_by' | 'restored_by' | 'touched_by'>;

const toColumns = ({ by, restoredBy, touchedBy }: Authorship): Columns => ({
  written_by: JSON.stringify(by),
  restored_by: restoredBy,
  touched_by: touchedBy,
});

const toAuthorship = (row: Columns): Authorship => ({
  by: JSON.parse(row.written_by),
  restoredBy: row.restored_by,
  touchedBy: row.touched_by,
});

/** Brings a database to the newest schema. Changes are listed here, in order, and never altered once released. */
import { type Kysely, sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, Migrator } from 'kysely/migration';
import { SluiceError } from '../../kernel/errors.ts';
import type { Dialect } from './dialect.ts';
import { addApprovals } from './migrations/approvals.ts';
import { addAuditSegments } from './migrations/audit-segments.ts';
import { addCustody } from './migrations/custody.ts';
import { putUpDrafts } from './migrations/drafts.ts';
import { noteBringers } from './migrations/file-bringers.ts';
import { putFilesInZones } from './migrations/file-zones.ts';
import { addFiles } from './migrations/files.ts';
import { createInitialSchema } from './migrations/initial.ts';
import { addMemory } from './migrations/memory.ts';
import { addMemoryVectors } from './migrations/memory-vectors.ts';
import { addOffersAndAnswers } from './migrations/offers-and-answers.ts';
import { addPermissions } from './migrations/permissions.ts';
import { addPropertyOrder } from './migrations/property-order.ts';
import { addProposals } from './migrations/proposals.ts';
import { addProvenance } from './migrations/provenance.ts';
import { addProviders } from './migrations/providers.ts';
import { addSemanticIndex } from './migrations/semantic-index.ts';
import { addWordAnalysis } from './migrations/word-analysis.ts';
import { addIdleBlobs } from './migrations/workspace-rest.ts';
import type { Database } from './schema.ts';

export interface SchemaChange {
  readonly name: string;
  readonly up: (db: Kysely<Database>, dialect: Dialect) => Promise<void>;
}

export const SCHEMA_CHANGES: readonly SchemaChange[] = [
  { name: '0001_initial', up: createInitialSchema },
  { name: '0002_files', up: addFiles },
  { name: '0003_proposals', up: addProposals },
  { name: '0004_provenance', up: addProvenance },
  { name: '0005_permissions', up: addPermissions },
  { name: '0006_idle_blobs', up: addIdleBlobs },
  { name: '0007_memory', up: addMemory },
  { name: '0008_semantic_index', up: addSemanticIndex },
  { name: '0009_audit_segments', up: addAuditSegments },
  { name: '0010_memory_vectors', up: addMemoryVectors },
  { name: '0011_providers', up: addProviders },
  { name: '0012_approvals', up: addApprovals },
  { name: '0013_custody', up: addCustody },
  { name: '0016_offers_and_answers', up: addOffersAndAnswers },
  {
    name: '0017_drafts_and_order',
    up: async (db, dialect) => {
      await putUpDrafts(db);
      await addPropertyOrder(db, dialect);
    },
  },
  { name: '0018_files_in_zones', up: putFilesInZones },
  { name: '0019_word_analysis', up: addWordAnalysis },
  { name: '0020_bringers_of_files', up: noteBringers },
];

/** What a database still lacks; `fresh` when it has nothing at all. */
export interface SchemaState {
  readonly fresh: boolean;
  readonly pending: readonly string[];
}

/** Refuses a database that has more than these: whoever does not know a schema must not write to it. */
export async function readSchemaState(
  db: Kysely<Database>,
  changes: readonly SchemaChange[],
): Promise<SchemaState> {
  const applied = await appliedChanges(db);
  const known = new Set(changes.map(({ name }) => name));
  const unknown = applied.find((name) => !known.has(name));
  if (unknown !== undefined) {
    throw new SluiceError(
      'unavailable',
      `The database was written by a newer Sluice (it has the schema "${unknown}"); open it with that one or a later one`,
    );
  }
  return {
    fresh: applied.length === 0,
    pending: changes.map(({ name }) => name).filter((name) => !applied.includes(name)),
  };
}

export async function migrate(
  db: Kysely<Database>,
  dialect: Dialect,
  changes: readonly SchemaChange[],
): Promise<void> {
  const migrations = Object.fromEntries(
    changes.map(({ name, up }) => [name, { up: (at: Kysely<Database>) => up(at, dialect) }]),
  );
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error === undefined) return;
  throw new SluiceError(
    'unavailable',
    'The database could not be brought to the schema of this Sluice; it is as it was',
    {},
    error,
  );
}

async function appliedChanges(db: Kysely<Database>): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some((table) => table.name === DEFAULT_MIGRATION_TABLE)) return [];
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name`.execute(db);
  return rows.map(({ name }) => name);
}

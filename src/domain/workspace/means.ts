/** What the workspace works with; composition provides it. */
import type { IdSource } from '../../kernel/ids.ts';
import type { CallRecords } from './ports/call-records.ts';
import type { DocumentStore } from './ports/document-store.ts';
import type { EventLog } from './ports/event-log.ts';
import type { FileStore } from './ports/file-store.ts';
import type { HealthStore } from './ports/health-store.ts';
import type { IdleBlobs } from './ports/idle-blobs.ts';
import type { LinkStore } from './ports/link-store.ts';
import type { OtherCandidates } from './ports/other-candidates.ts';
import type { OtherChanges } from './ports/other-changes.ts';
import type { PageStore } from './ports/page-store.ts';
import type { PermissionStore } from './ports/permission-store.ts';
import type { ProposalStore } from './ports/proposal-store.ts';
import type { ProvenanceStore } from './ports/provenance-store.ts';
import type { RunReads } from './ports/run-reads.ts';
import type { SearchIndex, SemanticIndex } from './ports/search-index.ts';
import type { SemanticIndexer } from './ports/semantic-indexer.ts';
import type { TagStore } from './ports/tag-store.ts';
import type { TextDocuments } from './ports/text-documents.ts';
import type { TrashStore } from './ports/trash-store.ts';
import type { VectorStore } from './ports/vector-store.ts';

export interface WorkspaceMeans {
  readonly pages: PageStore;
  readonly documents: DocumentStore;
  readonly files: FileStore;
  readonly idleBlobs: IdleBlobs;
  readonly health: HealthStore;
  readonly links: LinkStore;
  readonly events: EventLog;
  readonly tags: TagStore;
  readonly trash: TrashStore;
  readonly permissions: Pick<PermissionStore, 'keptFrom'>;
  readonly provenance: ProvenanceStore;
  readonly trail: RunReads;
  /** Without it calls are told of without what they were given. */
  readonly calls?: CallRecords;
  readonly proposals: ProposalStore;
  /** How long a proposal waits for somebody to look at it. */
  readonly expireProposalsAfterMs: number;
  readonly otherCandidates?: OtherCandidates;
  readonly otherChanges?: OtherChanges;
  readonly search: SearchIndex;
  readonly vectors: VectorStore;
  /** Without an embedder there is none. */
  readonly semantic?: SemanticIndex;
  readonly indexer?: SemanticIndexer;
  readonly texts: TextDocuments;
  readonly ids: IdSource;
}

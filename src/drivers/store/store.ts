/** A store: everything that is kept, behind its ports, with one way to open and to close it. */
import type { ApprovalStore } from '../../domain/governance/approvals/approval-store.ts';
import type { HeadFile } from '../../domain/governance/audit-heads.ts';
import type { AuditLog, AuditReader } from '../../domain/governance/audit-log.ts';
import type { GovernanceStore } from '../../domain/governance/governance-store.ts';
import type { KeptResults } from '../../domain/governance/kept-results.ts';
import type { ReadTrail } from '../../domain/governance/read-trail.ts';
import type { MemoryStore } from '../../domain/memory/ports/memory-store.ts';
import type { MemoryVectors } from '../../domain/memory/ports/memory-vectors.ts';
import type { AnswerStore } from '../../domain/providers/ports/answer-store.ts';
import type { ProviderStore } from '../../domain/providers/ports/provider-store.ts';
import type { SlotStore } from '../../domain/providers/ports/slot-store.ts';
import type { DocumentStore } from '../../domain/workspace/ports/document-store.ts';
import type { EventLog } from '../../domain/workspace/ports/event-log.ts';
import type { FileStore } from '../../domain/workspace/ports/file-store.ts';
import type { HealthStore } from '../../domain/workspace/ports/health-store.ts';
import type { IdleBlobs } from '../../domain/workspace/ports/idle-blobs.ts';
import type { LinkStore } from '../../domain/workspace/ports/link-store.ts';
import type { PageStore } from '../../domain/workspace/ports/page-store.ts';
import type { PermissionStore } from '../../domain/workspace/ports/permission-store.ts';
import type { ProposalStore } from '../../domain/workspace/ports/proposal-store.ts';
import type { ProvenanceStore } from '../../domain/workspace/ports/provenance-store.ts';
import type { SearchIndex } from '../../domain/workspace/ports/search-index.ts';
import type { TagStore } from '../../domain/workspace/ports/tag-store.ts';
import type { TrashStore } from '../../domain/workspace/ports/trash-store.ts';
import type { VectorStore } from '../../domain/workspace/ports/vector-store.ts';
import type { WorkspaceStore } from '../../domain/workspace/ports/workspace-store.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Log } from '../../kernel/log.ts';
import type { ReadScope, UnitOfWork } from '../../kernel/ports/unit-of-work.ts';
import type { Sight } from '../../kernel/sight.ts';
import type { SchemaChange } from './migrate.ts';

export interface Store {
  readonly kind: 'sqlite' | 'postgres';
  readonly units: UnitOfWork;
  readonly audit: AuditLog;
  readonly auditReader: AuditReader;
  readonly governance: GovernanceStore;
  readonly trail: ReadTrail;
  readonly results: KeptResults;
  readonly workspaces: WorkspaceStore;
  readonly pages: PageStore;
  readonly documents: DocumentStore;
  readonly files: FileStore;
  readonly idleBlobs: IdleBlobs;
  readonly health: HealthStore;
  readonly links: LinkStore;
  readonly events: EventLog;
  readonly tags: TagStore;
  readonly trash: TrashStore;
  readonly providers: ProviderStore;
  readonly answers: AnswerStore;
  readonly slots: SlotStore;
  readonly approvals: ApprovalStore;
  readonly proposals: ProposalStore;
  readonly provenance: ProvenanceStore;
  readonly permissions: PermissionStore;
  readonly search: SearchIndex;
  /** The scope as who has this sight may look through it. */
  veil<Scope extends ReadScope>(scope: Scope, sight: Sight): Scope;
  readonly memory: MemoryStore;
  readonly memoryVectors: MemoryVectors;
  readonly vectors: VectorStore;
  /** True when other processes may change what this one has read. */
  readonly shared: boolean;
  /** Writes a consistent copy while the store is in use; a shared store is backed up with its own tools. */
  backup(path: string): Promise<void>;
  close(): Promise<void>;
}

export interface StoreMeans {
  readonly heads: HeadFile;
  /** Whose chain this process continues. */
  readonly writer: string;
  readonly clock: Clock;
  readonly log: Log;
  /** What the schema is made of; without it everything this Sluice knows. */
  readonly schema?: readonly SchemaChange[];
  /**
   * Called before the schema of an embedded store that has content is changed; fails = nothing is changed. A shared
   * store changes its schema in one transaction, and its backups are its operator's.
   */
  readonly beforeUpgrade?: (store: Pick<Store, 'backup'>, first: string) => Promise<void>;
}

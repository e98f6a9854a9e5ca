/** The stores that are the same on both databases. */
import { answerStore } from './answer-store.ts';
import { approvalStore } from './approval-store.ts';
import { auditReader } from './audit-reader.ts';
import { keptResults, readTrail } from './bookkeeping-stores.ts';
import { documentStore } from './document-store.ts';
import { eventLog } from './event-log.ts';
import { fileStore } from './file-store.ts';
import { governanceStore } from './governance-store.ts';
import { healthStore } from './health-store.ts';
import { idleBlobs } from './idle-blobs.ts';
import { linkStore } from './link-store.ts';
import { memoryStore } from './memory/memory-store.ts';
import { memoryVectors } from './memory/memory-vectors.ts';
import { pageStore } from './page-store.ts';
import { permissionStore } from './permission-store.ts';
import { proposalStore } from './proposal-store.ts';
import { provenanceStore } from './provenance-store.ts';
import { providerStore } from './provider-store.ts';
import { slotStore } from './slot-store.ts';
import { tagStore } from './tag-store.ts';
import { trashStore } from './trash-store.ts';
import { vectorStore } from './vector-store.ts';
import { veil } from './veil.ts';
import { workspaceStore } from './workspace-store.ts';

export const sqlStores = {
  auditReader,
  governance: governanceStore,
  trail: readTrail,
  results: keptResults,
  workspaces: workspaceStore,
  pages: pageStore,
  documents: documentStore,
  files: fileStore,
  idleBlobs,
  health: healthStore,
  links: linkStore,
  events: eventLog,
  tags: tagStore,
  trash: trashStore,
  provenance: provenanceStore,
  providers: providerStore,
  answers: answerStore,
  slots: slotStore,
  approvals: approvalStore,
  permissions: permissionStore,
  veil,
  proposals: proposalStore,
  memory: memoryStore,
  memoryVectors,
  vectors: vectorStore,
} as const;

/** What the workspace works with; composition provides it. */
import type { IdSource } from '../../kernel/ids.ts';
import type { DocumentStore } from './ports/document-store.ts';
import type { EventLog } from './ports/event-log.ts';
import type { FileStore } from './ports/file-store.ts';
import type { LinkStore } from './ports/link-store.ts';
import type { PageStore } from './ports/page-store.ts';
import type { SearchIndex, SemanticIndex } from './ports/search-index.ts';
import type { TagStore } from './ports/tag-store.ts';
import type { TextDocuments } from './ports/text-documents.ts';
import type { TrashStore } from './ports/trash-store.ts';

export interface WorkspaceMeans {
  readonly pages: PageStore;
  readonly documents: DocumentStore;
  readonly files: FileStore;
  readonly links: LinkStore;
  readonly events: EventLog;
  readonly tags: TagStore;
  readonly trash: TrashStore;
  readonly search: SearchIndex;
  readonly semantic?: SemanticIndex;
  readonly texts: TextDocuments;
  readonly ids: IdSource;
}

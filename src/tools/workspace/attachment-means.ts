/** What tools about attachments work with besides the workspace. */
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import type { BlobStore } from '../../kernel/ports/blob-store.ts';

export interface AttachmentMeans extends WorkspaceMeans {
  readonly blobs: BlobStore;
}

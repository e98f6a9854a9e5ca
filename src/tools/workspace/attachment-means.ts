/** What tools about attachments work with besides the workspace. */
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import type { SentBlobs } from '../../domain/workspace/usable-blobs.ts';
import type { BlobStore } from '../../kernel/ports/blob-store.ts';

export interface AttachmentMeans extends WorkspaceMeans {
  readonly blobs: BlobStore;
  readonly sent: SentBlobs;
  /** How long bytes are kept after the last file of them went. */
  blobsKeptMs(): number;
}

/** Bytes kept by their content: attachments and results too large to answer with. */
export interface BlobInfo {
  /** `sha256:` and the hex digest of the bytes. */
  readonly digest: string;
  readonly size: number;
}

export interface BlobStore {
  /** Durable when it resolves. Refuses more than `limit` bytes with `payload_too_large` and keeps nothing of them. */
  put(bytes: AsyncIterable<Uint8Array>, limit: number): Promise<BlobInfo>;
  /** Without waiting: units ask, and must wait for nothing but their transaction. */
  has(digest: string): boolean;
  /** The same as `put` without waiting, for bytes that a unit was given. */
  keep(bytes: Uint8Array, limit: number): BlobInfo;
  /** Without waiting as well; undefined when there is no such blob. */
  sizeOf(digest: string): number | undefined;
  /** Without waiting: true when it was there and was put before that time, and is not any more. */
  dropOlder(digest: string, before: number): boolean;
  /** Undefined when there is no such blob. */
  stat(digest: string): Promise<BlobInfo | undefined>;
  /** Bytes from `start` up to `end` (exclusive); throws `integrity_failed` when a whole read does not match its digest. */
  read(digest: string, range?: { readonly start: number; readonly end: number }): AsyncIterable<Uint8Array>;
  /** True when it was there. */
  remove(digest: string): Promise<boolean>;
  list(): AsyncIterable<BlobInfo>;
}

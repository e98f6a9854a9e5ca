/** What the log says about files: which came or went, and what was there before, so that it can be there again. */
import { z } from 'zod';
import { OUTERMOST, type Zone } from '../../kernel/sight.ts';
import type { PageHeader } from './page.ts';
import type { NewEvent, WorkspaceEvent } from './ports/event-log.ts';
import type { Attachment } from './ports/file-store.ts';
import { targetKey } from './resolve-link.ts';

/** Of one event; more are several events of the same change. */
const FILES_NAMED = 20;

export interface FileChange {
  readonly path: string;
  readonly zone: Zone;
  readonly before: Attachment | null;
  /** The digest of what is there afterwards. */
  readonly after: string | null;
}

export function fileEvents(
  kind: 'files_attached' | 'files_detached',
  changes: readonly FileChange[],
  /** The page they were attached to, where somebody said which. */
  of?: Pick<PageHeader, 'id' | 'version'>,
): readonly NewEvent[] {
  const events: NewEvent[] = [];
  for (const [zone, own] of Map.groupBy(changes, (change) => change.zone)) {
    for (let i = 0; i < own.length; i += FILES_NAMED) {
      const some = own.slice(i, i + FILES_NAMED);
      const details = {
        files: some.map(({ path }) => path),
        count: some.length,
        changes: some.map(toRecord),
        // Whoever does not see the zone does not see the event.
        ...(zone !== OUTERMOST && { zone }),
      };
      // Its text stays as it is.
      const version = of?.version ?? null;
      events.push({ kind, page: of?.id ?? null, beforeVersion: version, afterVersion: version, details });
    }
  }
  return events;
}

const toRecord = ({ path, before, after }: FileChange) => ({
  path,
  after,
  before: before && {
    digest: before.digest,
    size: before.size,
    media_type: before.mediaType,
    parts: before.parts,
    brought_by: before.broughtBy,
  },
});

const record = z.object({
  path: z.string(),
  after: z.string().nullable(),
  before: z
    .object({
      digest: z.string(),
      size: z.number(),
      media_type: z.string(),
      parts: z.array(z.string()),
      brought_by: z.string().nullable().default(null),
    })
    .nullable(),
});

/** Undefined for events from before this was kept. */
export function fileChangesOf({ details }: WorkspaceEvent): readonly FileChange[] | undefined {
  const read = z.array(record).safeParse(details.changes);
  const zone = typeof details.zone === 'string' ? details.zone : OUTERMOST;
  return read.data?.map(({ path, after, before }) => ({
    path,
    zone,
    after,
    before: before && {
      path,
      zone,
      nameKey: targetKey(path),
      digest: before.digest,
      size: before.size,
      mediaType: before.media_type,
      parts: before.parts,
      broughtBy: before.brought_by,
    },
  }));
}

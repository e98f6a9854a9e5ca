/** Keeps memory in order by itself: every hour, workspace by workspace, through the pipeline like everybody else. */
import type { LiveDirectory } from '../domain/workspace/workspaces.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { faultFields, type Log } from '../kernel/log.ts';
import { systemGrant } from './local-grants.ts';

interface UpkeepParts {
  readonly gateway: Gateway;
  readonly directory: LiveDirectory;
  readonly log: Log;
}

const EVERY_MS = 60 * 60 * 1000;
/** Soon enough for a program that never lives for hours, late enough to be no part of its start. */
const FIRST_AFTER_MS = 90 * 1000;

/** Returns what stops it. */
export function startMemoryUpkeep(parts: UpkeepParts): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout;
  const schedule = (afterMs: number): void => {
    timer = setTimeout(() => {
      running = keepInOrder(parts);
      schedule(EVERY_MS);
    }, afterMs).unref();
  };
  schedule(FIRST_AFTER_MS);
  return async () => {
    clearTimeout(timer);
    await running;
  };
}

/** One bounded pass a workspace; what it leaves is for the next. */
async function keepInOrder({ gateway, directory, log }: UpkeepParts): Promise<void> {
  for (const { id, open } of directory.all()) {
    if (!open) continue;
    const outcome = await gateway.call({
      target: { kind: 'tool', name: 'memory_consolidate', arguments: {} },
      presented: { kind: 'grant', grant: { ...systemGrant(), workspace: id } },
      claims: { run: 'memory-upkeep' },
      source: 'memory-upkeep',
    });
    if (outcome.ok || outcome.error.details.reason === 'read_only') continue;
    log.warn('memory_not_kept_in_order', faultFields(outcome.error));
  }
}

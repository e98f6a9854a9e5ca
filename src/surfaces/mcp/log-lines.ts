/** Log lines of a call go to whoever asked for them, from the level it asked for; to nobody else. */
import { LOG_LEVEL_META_KEY, type LoggingLevel, type ServerContext } from '@modelcontextprotocol/server';
import type { CallRequest } from '../../gateway/request.ts';

export const LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const satisfies readonly LoggingLevel[];

/** `wanted` is what a session asked for; a request without one says it itself. */
export function logLinesOf(context: ServerContext, wanted: LoggingLevel | undefined): CallRequest['onLog'] {
  const envelope: Readonly<Record<string, unknown>> = context.mcpReq.envelope ?? {};
  const level = (envelope[LOG_LEVEL_META_KEY] as LoggingLevel | undefined) ?? wanted;
  if (level === undefined) return undefined;
  return (line) => {
    if (LEVELS.indexOf(line.level) < LEVELS.indexOf(level)) return;
    const params = { level: line.level, logger: 'sluice', data: line.data };
    // The client may be gone by now; its call is ended elsewhere.
    context.mcpReq.notify({ method: 'notifications/message', params }).catch(() => undefined);
  };
}

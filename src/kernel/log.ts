/**
 * Structured log lines with a closed set of fields, so that a token or a payload cannot slip in by accident:
 * what is not a named field here cannot be logged.
 */
import type { Clock } from './clock.ts';
import { systemCode } from './system-code.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface LogFields {
  readonly callId?: string;
  readonly tool?: string;
  readonly principal?: string;
  readonly surface?: string;
  readonly workspace?: string;
  readonly code?: string;
  readonly address?: string;
  readonly port?: number;
  readonly path?: string;
  readonly count?: number;
  readonly durationMs?: number;
  readonly signal?: string;
  readonly reason?: string;
  /** The system's or the database's name for what went wrong, such as ENOSPC. */
  readonly cause?: string;
  readonly sequence?: number;
  /** An internal fault's stack; never built from a caller's input. */
  readonly stack?: string;
}

export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

/** The same list for the program itself: a wider object passes the types, but only these of it are written. */
const NAMED: Readonly<Record<keyof LogFields, true>> = {
  callId: true,
  tool: true,
  principal: true,
  surface: true,
  workspace: true,
  code: true,
  address: true,
  port: true,
  path: true,
  count: true,
  durationMs: true,
  signal: true,
  reason: true,
  cause: true,
  sequence: true,
  stack: true,
};

const ORDER: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 };

/** `sink` takes one JSON line without its newline. */
export function createLog(clock: Clock, level: LogLevel, sink: (line: string) => void): Log {
  const write =
    (at: LogLevel) =>
    (event: string, fields: LogFields = {}): void => {
      if (ORDER[at] < ORDER[level]) return;
      const named = Object.fromEntries(Object.entries(fields).filter(([name]) => Object.hasOwn(NAMED, name)));
      sink(JSON.stringify({ at: new Date(clock.now()).toISOString(), level: at, event, ...named }));
    };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

export const silentLog: Log = createLog({ now: () => 0 }, 'error', () => undefined);

/** The part of a fault that may be logged: where it happened, without the message (which may quote input). */
export function faultFields(error: unknown): LogFields {
  const root = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(root instanceof Error)) return { reason: typeof root };
  const cause = systemCode(root);
  const frames = (root.stack ?? '').split('\n').filter((line) => line.trimStart().startsWith('at '));
  return { reason: root.name, ...(cause !== undefined && { cause }), stack: frames.slice(0, 8).join('\n') };
}

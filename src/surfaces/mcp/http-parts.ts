/** What requests over HTTP are answered with. */
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import type { Gateway } from '../../gateway/gateway.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Log } from '../../kernel/log.ts';
import type { createKnownEnvelopes } from './hot-call.ts';
import type { LegacySessions } from './legacy-sessions.ts';
import type { OpenResponses } from './open-responses.ts';

export interface HttpOptions {
  readonly gateway: Gateway;
  readonly clock: Clock;
  readonly log: Log;
  readonly host: string;
  readonly port: number;
  /** Names besides localhost that Host and Origin may carry. */
  readonly allowedHosts: readonly string[];
  readonly maxConnections: number;
  /** False sends every request the SDK's way, so that the two ways can be compared. */
  readonly hot?: boolean;
}

export interface HttpParts extends HttpOptions {
  readonly sessions: LegacySessions;
  readonly responses: OpenResponses;
  readonly modern: McpHttpHandler;
  readonly localNames: ReadonlySet<string>;
  readonly envelopes: ReturnType<typeof createKnownEnvelopes>;
  readonly listens: Set<() => void>;
}

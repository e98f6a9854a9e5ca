/** A way for JSON-RPC messages to and from one upstream server, whatever carries them. */
export type Message = Readonly<Record<string, unknown>>;

export interface SendOptions {
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Wire {
  /** Every request has a stream of its own that its answer comes by, as over HTTP. */
  readonly perRequest: boolean;
  /** Resolves once it is on its way; answers come to the listener. */
  send(message: Message, options?: SendOptions): Promise<void>;
  close(): Promise<void>;
  readonly processes: readonly number[];
  stderr(): string;
}

export interface WireListener {
  /** True when it was the answer to something that was asked. `of` is the request by whose own stream it came. */
  receive(message: Message, of?: unknown): boolean;
  /** Whether the server still knows us is to be asked before anything depends on it. */
  unsure(): void;
  /** Nothing more will come. */
  end(reason: string, kind?: 'ended' | 'too_large'): void;
}

/** One message may be no larger. */
export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;

/** So much is heard between two answers; a server that says more is not heard any longer. */
export const MAX_UNASKED_BYTES = 32 * 1024 * 1024;

/** Undefined for what is no JSON object. */
export function parseMessage(text: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Message)
      : undefined;
  } catch {
    return undefined;
  }
}

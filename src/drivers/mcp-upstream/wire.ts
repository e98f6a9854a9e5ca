/** A way for JSON-RPC messages to and from one upstream server, whatever carries them. */
export type Message = Readonly<Record<string, unknown>>;

export interface SendOptions {
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Wire {
  /** Resolves once it is on its way; answers come to the listener. */
  send(message: Message, options?: SendOptions): Promise<void>;
  close(): Promise<void>;
  readonly processes: readonly number[];
  stderr(): string;
}

export interface WireListener {
  receive(message: Message): void;
  /** Nothing more will come. */
  end(reason: string): void;
}

/** One message may be no larger. */
export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;

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

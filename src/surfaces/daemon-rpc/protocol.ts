/** What is said over the admin socket: a greeting that chooses the mode, then calls or MCP, or nothing more. */

export type Greeting =
  | { readonly mode: 'calls' }
  /** Asks a process that only serves programs over stdio to give the home up to a server. */
  | { readonly mode: 'handover' }
  /** Says a line for each change of a resource that the owner follows, and nothing about it. */
  | { readonly mode: 'watch'; readonly uri: string; readonly workspace?: string | undefined }
  | {
      readonly mode: 'mcp';
      readonly client: string;
      readonly names?: 'dotted' | 'underscore' | undefined;
      readonly workspace?: string | undefined;
    };

export interface CallLine {
  readonly id: number;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly workspace?: string | undefined;
  readonly run?: string | undefined;
}

/** The id of an answer to what was no call. */
export const NO_CALL = 0;

export type AnswerLine =
  | { readonly id: number; readonly ok: true; readonly result: Record<string, unknown> }
  | { readonly id: number; readonly ok: false; readonly error: Readonly<Record<string, unknown>> };

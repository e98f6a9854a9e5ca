/** `defineTool`: one declared object a tool, from which lists, help, docs, policy, console and CLI are derived. */
import type { z } from 'zod';
import { REVIEWED_KINDS } from '../kernel/submission.ts';
import type { ActionContext, ReadContext, WriteContext } from './call-context.ts';
import type { Reply } from './content.ts';
import { proposableOutput } from './proposable-output.ts';
import {
  completeRegistration,
  type DeclaredRegistration,
  type Registration,
  type WriteRegistration,
} from './registration.ts';
import { type Schema, zodSchema } from './schema.ts';

/** In the words of the protocol. */
export type ToolHints = Readonly<
  Record<'readOnlyHint' | 'destructiveHint' | 'idempotentHint' | 'openWorldHint', boolean>
>;

interface ToolFacts extends Registration {
  readonly kind: 'tool';
  readonly input: Schema;
  /** Absent where it answers in blocks alone. */
  readonly output?: Schema;
  /** May destroy or overwrite something that cannot be had back by a single call. */
  readonly destructive: boolean;
  /** Calling it again with the same arguments changes nothing more. */
  readonly idempotent: boolean;
  /** What callers are told of a tool that is not ours; left out = what its declaration means. */
  readonly hints?: ToolHints;
  /** A short call to learn from, shown in help and docs. */
  readonly example: Readonly<Record<string, unknown>>;
}

interface Handled<Use> {
  readonly mode: 'read' | 'write' | 'action';
  readonly write?: WriteRegistration;
  handler(use: Use, input: unknown, call: WriteContext): Promise<unknown>;
}

/** A tool as declared: it still needs `Use`, what its family works with. */
export type DeclaredTool<Use> = ToolFacts & Handled<Use>;

interface ToolDeclaration<Input extends z.ZodObject> extends DeclaredRegistration {
  readonly input: Input;
  readonly destructive?: boolean;
  readonly idempotent?: boolean;
  readonly example: z.input<Input>;
}

type Handler<Use, Input extends z.ZodObject, Answer, Context> = (
  use: Use,
  input: z.output<Input>,
  call: Context,
) => Promise<Answer>;

export function defineTool<Use, Input extends z.ZodObject, Output extends z.ZodObject>(
  declared: ToolDeclaration<Input> & {
    readonly effect: 'local_side_effect';
    readonly write: WriteRegistration;
    readonly output: Output;
    readonly handler: Handler<Use, Input, z.input<Output>, WriteContext>;
  },
): DeclaredTool<Use>;
export function defineTool<Use, Input extends z.ZodObject, Output extends z.ZodObject>(
  declared: ToolDeclaration<Input> & {
    readonly effect: 'read_only' | 'sensitive_read';
    readonly write?: never;
    readonly output: Output;
    readonly handler: Handler<Use, Input, z.input<Output>, ReadContext>;
  },
): DeclaredTool<Use>;
export function defineTool<Use, Input extends z.ZodObject, Output extends z.ZodObject>(
  declared: ToolDeclaration<Input> & {
    readonly effect: 'external_side_effect';
    readonly write?: never;
    readonly output: Output;
    readonly handler: Handler<Use, Input, z.input<Output>, ActionContext>;
  },
): DeclaredTool<Use>;
/** Without an output schema a tool answers in blocks. A writer always has one: its answer is kept for retries. */
export function defineTool<Use, Input extends z.ZodObject>(
  declared: ToolDeclaration<Input> & {
    readonly effect: 'read_only' | 'sensitive_read';
    readonly write?: never;
    readonly output?: never;
    readonly handler: Handler<Use, Input, Reply, ReadContext>;
  },
): DeclaredTool<Use>;
export function defineTool<Use, Input extends z.ZodObject>(
  declared: ToolDeclaration<Input> & {
    readonly effect: 'external_side_effect';
    readonly write?: never;
    readonly output?: never;
    readonly handler: Handler<Use, Input, Reply, ActionContext>;
  },
): DeclaredTool<Use>;
export function defineTool<Use>(
  declared: ToolDeclaration<z.ZodObject> & {
    readonly write?: WriteRegistration;
    readonly output?: z.ZodObject;
    readonly handler: Handler<Use, z.ZodObject, unknown, WriteContext>;
  },
): DeclaredTool<Use> {
  return {
    ...completeRegistration(declared),
    kind: 'tool',
    mode: modeOf(declared),
    ...(declared.write && { write: declared.write }),
    input: zodSchema(declared.input, 'input'),
    ...(declared.output && { output: outputOf(declared.write, declared.output) }),
    destructive: declared.destructive ?? false,
    idempotent: declared.idempotent ?? false,
    example: declared.example,
    handler: declared.handler as DeclaredTool<Use>['handler'],
  };
}

function outputOf(write: WriteRegistration | undefined, output: z.ZodObject): Schema {
  const declared = zodSchema(output, 'output');
  return write && REVIEWED_KINDS.includes(write.kind) ? proposableOutput(declared) : declared;
}

function modeOf(declared: {
  readonly effect: string;
  readonly write?: WriteRegistration;
}): Handled<unknown>['mode'] {
  if (declared.write) return 'write';
  return declared.effect === 'external_side_effect' ? 'action' : 'read';
}

/** A tool ready to be called: its family's means are bound into the handler. */
export type Tool = ToolFacts & {
  readonly family: string;
  readonly mode: 'read' | 'write' | 'action';
  readonly write?: WriteRegistration;
  handler(input: unknown, call: WriteContext): Promise<unknown>;
};

export function bindTool<Use>(tool: DeclaredTool<Use>, family: string, use: Use): Tool {
  return { ...tool, family, handler: tool.handler.bind(undefined, use) };
}

/** What `tools/list` says of a tool; everything in it is derived from the declaration. */

import type { Icon } from './content.ts';
import type { JsonSchema } from './schema.ts';
import { type StaleMark, staleMark } from './stale-mark.ts';
import type { Tool, ToolHints } from './tool-definition.ts';
import { type NameForm, nameInForm } from './tool-names.ts';

export interface WireTool extends StaleMark {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly icons?: readonly Icon[];
  readonly annotations: ToolHints;
}

type Described = Omit<Tool, 'handler' | 'family' | 'mode'>;

export function describeTool(tool: Described, form: NameForm): WireTool {
  return {
    ...staleMark(tool),
    name: nameInForm(tool.name, form, tool.server),
    title: tool.title,
    description: tool.summary,
    inputSchema: tool.input.json,
    ...(tool.output && { outputSchema: tool.output.json }),
    ...(tool.icons.length > 0 && { icons: tool.icons }),
    annotations: tool.hints ?? {
      readOnlyHint: tool.effect === 'read_only' || tool.effect === 'sensitive_read',
      destructiveHint: tool.destructive,
      idempotentHint: tool.idempotent || tool.effect === 'read_only',
      openWorldHint: tool.effect === 'external_side_effect',
    },
  };
}

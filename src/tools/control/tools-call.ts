/** Calls a tool that the caller's list is too short for. The pipeline does so by itself: see `forwards`. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { invalidInput } from '../../kernel/errors.ts';
import { FINDS } from './finding-shape.ts';
import type { ControlMeans } from './means.ts';

export const toolsCall = defineTool({
  ...FINDS,
  name: 'tools_call',
  title: 'Call a tool',
  summary: 'Calls a tool that tools_search found, exactly as if it were called by its name.',
  // As much as anything it may lead to.
  effect: 'external_side_effect',
  destructive: true,
  forwards: true,
  limits: { inputBytes: 8 * 1024 * 1024 },
  example: { name: 'get_my_scopes', arguments: {} },
  input: z.object({
    name: z.string().min(1).max(200).describe('The tool'),
    arguments: z.record(z.string(), z.unknown()).default({}).describe('What it is called with'),
  }),
  // Only what names itself gets here.
  async handler(_use: ControlMeans, { name }): Promise<never> {
    throw invalidInput('name', `must be a tool that does something itself, not "${name}"`);
  },
});

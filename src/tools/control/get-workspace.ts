/** The workspace the caller works in. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { SluiceError } from '../../kernel/errors.ts';
import type { ControlMeans } from './means.ts';

export const getWorkspace = defineTool({
  name: 'get_workspace',
  title: 'Current workspace',
  summary: 'Names the workspace you work in and how many pages it has.',
  scopes: ['workspace.read'],
  effect: 'read_only',
  sandboxEligible: true,
  example: {},
  input: z.object({}),
  output: z.object({ id: z.string(), name: z.string(), pages: z.int() }),
  async handler(use: ControlMeans, _input, call) {
    const found = use.workspaces.find(call.caller.context.workspace ?? '');
    if (!found) throw new SluiceError('no_workspace', 'No workspace is open for this caller');
    return { id: found.id, name: found.name, pages: await use.countPages(call.read, found.id) };
  },
});

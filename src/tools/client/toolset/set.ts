/** Makes a toolset, or puts it in place of the one of that name. */
import { z } from 'zod';
import { OWNER_ONLY } from '../../../catalogue/registration.ts';
import { defineTool } from '../../../catalogue/tool-definition.ts';
import { noSuchTool } from '../../../domain/governance/likely-typos.ts';
import { setToolset } from '../../../domain/governance/manage-toolsets.ts';
import type { ClientMeans } from '../means.ts';
import { factsOf, toolsetFacts, toolsetName } from './toolset-shape.ts';

const patterns = z.array(z.string().max(128)).max(500);

export const set = defineTool({
  ...OWNER_ONLY,
  name: 'client.toolset.set',
  title: 'Set a toolset',
  summary: 'Names a part of the catalogue. Clients that are given it see and call nothing else.',
  scopes: ['settings.manage'],
  effect: 'local_side_effect',
  idempotent: true,
  write: { kind: 'credential', contentArgument: 'tools', derivation: 'none' },
  example: { name: 'docs', tools: ['search', 'read_page', 'files.*'], pinned: ['search'] },
  input: z.object({
    name: toolsetName,
    tools: patterns.describe('Names and patterns such as files.*'),
    pinned: patterns.default([]).describe('What a shortened list shows, in this order'),
  }),
  output: z.object({ toolset: toolsetFacts, warnings: z.array(z.string()) }),
  async handler(use: ClientMeans, toolset, call) {
    await setToolset(use, call.ticket, toolset);
    const known = use.known();
    const warnings = [...toolset.tools, ...toolset.pinned].flatMap((pattern) => noSuchTool(pattern, known));
    return { toolset: factsOf(use.state.current(), toolset), warnings };
  },
});

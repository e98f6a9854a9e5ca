/** Gives a client a token of its own. */
import { z } from 'zod';
import { OWNER_ONLY } from '../../catalogue/registration.ts';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { addClient } from '../../domain/governance/manage-credentials.ts';
import { invalidInput } from '../../kernel/errors.ts';
import type { WorkspaceId } from '../../kernel/ids.ts';
import { readPointInTime } from '../../kernel/points-in-time.ts';
import { isScope, SCOPES, type Scope } from '../../kernel/scopes.ts';
import { ORIGINS } from '../../kernel/submission.ts';
import { capArgument, clientFacts, factsOf } from './client-shape.ts';
import type { ClientMeans } from './means.ts';

export const add = defineTool({
  ...OWNER_ONLY,
  name: 'client.add',
  title: 'Add a client',
  summary:
    'Makes a token for a client, bound to a role, scopes, a workspace and an origin. It is shown this once.',
  scopes: ['settings.manage'],
  effect: 'local_side_effect',
  write: { kind: 'credential', contentArgument: 'name', derivation: 'none' },
  example: { name: 'claude-code', role: 'client', expires: '90d' },
  input: z.object({
    name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.@-]{0,63}$/, 'use 1 to 64 letters, digits, _ . @ or -'),
    role: z.string().max(64).default('client'),
    scopes: z.array(z.string()).max(50).optional().describe('Fewer than the role has'),
    origin: z.enum(ORIGINS).default('agent-produced').describe('What its writes count as at most'),
    workspace: z.string().max(200).optional().describe('Bind it to one workspace'),
    expires: z.string().max(40).optional().describe('A date, or a span such as 30d'),
    names: z.enum(['dotted', 'underscore']).default('dotted').describe('The form of tool names in lists'),
    toolset: z.string().max(64).optional().describe('What it can see and call at most'),
    cap: capArgument.optional().describe('Tools in its list at most; others it finds by tools_search'),
  }),
  output: z.object({ token: z.string(), client: clientFacts, warnings: z.array(z.string()) }),
  async handler(use: ClientMeans, input, call) {
    const offered = input.toolset !== undefined || input.cap !== undefined;
    const { credential, token, warnings } = await addClient(use, call.ticket, {
      name: input.name,
      role: input.role,
      scopes: input.scopes === undefined ? null : input.scopes.map(readScope),
      workspace: input.workspace === undefined ? null : findWorkspace(use, input.workspace),
      origin: input.origin,
      nameForm: input.names,
      ...(offered && { offer: { toolset: input.toolset ?? null, cap: input.cap ?? null } }),
      expiresAt: input.expires === undefined ? null : readPointInTime('expires', input.expires, call.at, 1),
    });
    return { token, client: factsOf(credential, call.at), warnings: [...warnings] };
  },
});

function readScope(scope: string): Scope {
  if (isScope(scope)) return scope;
  throw invalidInput('scopes', `holds "${scope}"; there is ${SCOPES.join(', ')}`);
}

function findWorkspace(use: ClientMeans, reference: string): WorkspaceId {
  const found = use.workspaces.find(reference);
  if (found) return found.id;
  throw invalidInput('workspace', `names "${reference}", which does not exist`);
}

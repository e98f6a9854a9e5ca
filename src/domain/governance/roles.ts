/** Roles as data: a named allowlist of tool patterns, the scopes it carries and from where it may reach. */
import type { Reach } from '../../kernel/caller.ts';
import { SluiceError } from '../../kernel/errors.ts';
import { SCOPES, type Scope } from '../../kernel/scopes.ts';
import { isPattern } from './name-pattern.ts';

export interface Role {
  readonly name: string;
  readonly tools: readonly string[];
  readonly scopes: readonly Scope[];
  readonly reach: Reach;
  /** One more with every change. */
  readonly version: number;
}

const workspaceScopes: readonly Scope[] = ['workspace.read', 'workspace.propose', 'workspace.write'];

const role = (
  name: string,
  reach: Reach,
  scopes: readonly Scope[],
  tools: readonly string[] = ['**'],
): Role => ({
  name,
  tools,
  scopes,
  reach,
  version: 1,
});

/** What a new home starts with; the owner may change every one of them but its own. */
export const DEFAULT_ROLES: readonly Role[] = [
  role('owner', 'both', SCOPES),
  role('editor', 'orchestrator', [
    ...workspaceScopes,
    'review',
    'memory.read',
    'memory.write',
    'artifacts.read',
    'artifacts.write',
    'work.read',
  ]),
  role('reader', 'orchestrator', ['workspace.read', 'memory.read', 'work.read']),
  role('reviewer', 'orchestrator', [
    'workspace.read',
    'workspace.propose',
    'artifacts.read',
    'agents.message',
  ]),
  role('agent', 'orchestrator', [
    'workspace.read',
    'workspace.propose',
    'memory.read',
    'memory.write',
    'sandbox.python',
    'providers.call',
    'agents.message',
    'agents.spawn',
    'artifacts.read',
    'artifacts.write',
    'work.read',
  ]),
  role('client', 'orchestrator', [
    'workspace.read',
    'workspace.propose',
    'memory.read',
    'memory.write',
    'sandbox.python',
    'providers.call',
  ]),
  role(
    'project_manager',
    'orchestrator',
    [
      'work.read',
      'work.write',
      'artifacts.read',
      'artifacts.write',
      'sandbox.containers',
      'egress.web',
      'egress.api',
      'egress.git',
      'connectors.use',
      'agents.message',
    ],
    [
      'artifact.*',
      'help.*',
      'persona.*',
      'skills.*',
      'db.**',
      'task.**',
      'job.*',
      'project.*',
      'preference.*',
      'system_setting.*',
      'node.*',
      'sandbox.**',
      'model.*',
      'connector.**',
      'git.**',
      'web.*',
      'api.call',
      'get_my_scopes',
      'list_tools',
      'tools_*',
    ],
  ),
  role(
    'project_analyst',
    'orchestrator',
    ['work.read', 'work.write', 'artifacts.read', 'audit.read', 'egress.web', 'egress.api'],
    [
      'task.get',
      'task.list',
      'task.result',
      'task.logs',
      'task.finding.create',
      'job.get',
      'project.get',
      'project.list',
      'preference.get',
      'preference.list',
      'preference.effective',
      'db.*.get',
      'db.*.list',
      'db.preference.effective',
      'artifact.get',
      'artifact.list',
      'help.*',
      'skills.list',
      'skills.get',
      'persona.*',
      'audit.list',
      'audit.get',
      'web.fetch',
      'api.call',
      'get_my_scopes',
      'list_tools',
      'tools_*',
    ],
  ),
  role(
    'worker',
    'sandbox',
    [
      'artifacts.read',
      'artifacts.write',
      'memory.read',
      'memory.write',
      'work.read',
      'egress.web',
      'egress.api',
    ],
    [
      'artifact.*',
      'memory.add',
      'memory.list',
      'memory.retrieve',
      'memory.delete',
      'skills.list',
      'skills.get',
      'preference.get',
      'preference.list',
      'preference.effective',
      'persona.get',
      'help.*',
      'web.*',
      'api.call',
      'get_my_scopes',
      'list_tools',
      'tools_*',
    ],
  ),
  role('node', 'orchestrator', [], ['node.register']),
];

/** The owner's role is what gives the machine back after a mistake in all the others, so it cannot be changed. */
export function checkRoleChange(name: string, tools: readonly string[]): void {
  if (name === 'owner') throw new SluiceError('denied', 'The role "owner" cannot be changed', { role: name });
  const wrong = tools.find((pattern) => !isPattern(pattern));
  if (wrong !== undefined) {
    throw new SluiceError('invalid_input', `"tools" must hold name patterns such as "db.*", not "${wrong}"`, {
      field: 'tools',
    });
  }
}

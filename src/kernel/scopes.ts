/** The closed list of capability scopes. Roles and tokens hold them, tools demand them. */
export const SCOPES = [
  'workspace.read',
  'workspace.propose',
  'workspace.write',
  'review',
  'permissions.grant',
  'memory.read',
  'memory.write',
  'sandbox.python',
  'sandbox.containers',
  'providers.call',
  'providers.manage',
  'approvals.decide',
  'agents.message',
  'agents.spawn',
  'agents.manage',
  'work.read',
  'work.write',
  'artifacts.read',
  'artifacts.write',
  'egress.web',
  'egress.api',
  'egress.git',
  'connectors.use',
  'connectors.manage',
  'audit.read',
  'settings.read',
  'settings.manage',
] as const;

export type Scope = (typeof SCOPES)[number];

const known: ReadonlySet<string> = new Set(SCOPES);

export const isScope = (text: string): text is Scope => known.has(text);

/** Who may write may also propose; nothing else implies anything. */
export function expandScopes(scopes: Iterable<Scope>): ReadonlySet<Scope> {
  const held = new Set(scopes);
  if (held.has('workspace.write')) held.add('workspace.propose');
  return held;
}

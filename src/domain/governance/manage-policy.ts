/** Changing what governs: the off switch, single tools, roles and access rules. */
import { invalidInput, SluiceError } from '../../kernel/errors.ts';
import type { IdSource, RuleId } from '../../kernel/ids.ts';
import { type Landing, requireTicket, type WriteTicket } from '../../kernel/ticket.ts';
import type { AccessRule } from './access-rules.ts';
import { OWNER } from './credentials.ts';
import type { GovernanceState } from './governance-state.ts';
import type { GovernanceStore } from './governance-store.ts';
import { isPattern } from './name-pattern.ts';
import { checkRoleChange, type Role } from './roles.ts';
import type { SettingKey, Settings } from './settings.ts';

export interface PolicyMeans {
  readonly state: GovernanceState;
  readonly store: GovernanceStore;
  readonly ids: IdSource;
}

export async function setEnabled(use: PolicyMeans, ticket: WriteTicket, enabled: boolean): Promise<Settings> {
  const landing = requireTicket(ticket, 'setting', 'land');
  return putSetting(use, landing, 'mcp_enabled', enabled);
}

export async function setToolEnabled(
  use: PolicyMeans,
  ticket: WriteTicket,
  pattern: string,
  enabled: boolean,
): Promise<Settings> {
  const landing = requireTicket(ticket, 'setting', 'land');
  checkPattern('tool', pattern);
  const { settings } = await use.state.within(landing.tx);
  const others = settings.disabled_tools.filter((known) => known !== pattern);
  return putSetting(use, landing, 'disabled_tools', enabled ? others : [...others, pattern].sort());
}

export async function changeSetting<K extends SettingKey>(
  use: PolicyMeans,
  ticket: WriteTicket,
  key: K,
  value: Settings[K],
): Promise<Settings> {
  return putSetting(use, requireTicket(ticket, 'setting', 'land'), key, value);
}

async function putSetting<K extends SettingKey>(
  use: PolicyMeans,
  { tx }: Landing,
  key: K,
  value: Settings[K],
): Promise<Settings> {
  await use.store.putSetting(tx, key, value);
  tx.afterCommit(() => use.state.refresh());
  return (await use.state.within(tx)).settings;
}

export async function putRole(
  use: PolicyMeans,
  ticket: WriteTicket,
  wanted: Omit<Role, 'version'>,
): Promise<Role> {
  const { tx } = requireTicket(ticket, 'policy', 'land');
  checkRoleChange(wanted.name, wanted.tools);
  const { policy } = await use.state.within(tx);
  const version = (policy.roles.get(wanted.name)?.version ?? 0) + 1;
  const role = { ...wanted, version };
  await use.store.putRole(tx, role);
  tx.afterCommit(() => use.state.refresh());
  return role;
}

export async function addRule(
  use: PolicyMeans,
  ticket: WriteTicket,
  wanted: Omit<AccessRule, 'id'>,
): Promise<AccessRule> {
  const { tx } = requireTicket(ticket, 'policy', 'land');
  checkPattern('pattern', wanted.pattern);
  if ((wanted.subjectType === 'system') !== (wanted.subjectId === null)) {
    throw new SluiceError(
      'invalid_input',
      '"subject" must name whom the rule is about, and "system" names nobody',
      {
        field: 'subject',
      },
    );
  }
  if (wanted.subjectType === 'client' && wanted.subjectId === OWNER.name) {
    const what =
      'must not be "owner", who is no client: no rule keeps the owner at the machine from its tools';
    throw invalidInput('subject', what);
  }
  const rule = { ...wanted, id: use.ids.next<RuleId>() };
  await use.store.putRule(tx, rule);
  tx.afterCommit(() => use.state.refresh());
  return rule;
}

export async function removeRule(use: PolicyMeans, ticket: WriteTicket, id: string): Promise<AccessRule> {
  const { tx } = requireTicket(ticket, 'policy', 'land');
  const { policy } = await use.state.within(tx);
  const rule = policy.rules.find((known) => known.id === id);
  if (!rule) throw new SluiceError('not_found', `There is no access rule "${id}"`, { field: 'rule' });
  await use.store.removeRule(tx, rule.id);
  tx.afterCommit(() => use.state.refresh());
  return rule;
}

function checkPattern(field: string, pattern: string): void {
  if (isPattern(pattern)) return;
  throw new SluiceError(
    'invalid_input',
    `"${field}" must be a name or a pattern such as "db.*", not "${pattern}"`,
    {
      field,
    },
  );
}

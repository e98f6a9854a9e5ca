/** The reference page of roles, scopes and default rules, from the data that decides. */
import { DEFAULT_RULES } from '../../src/domain/governance/access-rules.ts';
import { GATES } from '../../src/domain/governance/decision.ts';
import { DEFAULT_ROLES } from '../../src/domain/governance/roles.ts';
import { SCOPES } from '../../src/kernel/scopes.ts';

export async function renderPolicyPage(): Promise<string> {
  const roles = DEFAULT_ROLES.map(({ name, reach, scopes, tools }) => {
    const held = scopes.length === SCOPES.length ? 'all' : scopes.map(quoted).join(' ') || '–';
    return `| \`${name}\` | ${reach} | ${held} | ${tools.map(quoted).join(' ')} |`;
  });
  const rules = DEFAULT_RULES.map(
    (rule) =>
      `| \`${rule.id}\` | ${rule.effect} | ${rule.subjectType} ${rule.subjectId} | ${rule.resourceType} ${rule.pattern} |`,
  );
  return [
    '# Policy',
    '',
    `A tool is listed and may be called when every gate says yes, in this order: ${GATES.map(quoted).join(', ')}.`,
    'What a caller may not call does not exist for it. `sluice policy explain` shows every gate’s answer.',
    '',
    '## Roles',
    '',
    'What a new home starts with; `sluice policy set-role` changes all but `owner`.',
    '',
    '| role | reach | scopes | tools |',
    '|---|---|---|---|',
    ...roles,
    '',
    '## Access rules',
    '',
    'Agents and clients need a rule that allows; any rule that denies wins.',
    '',
    '| rule | effect | who | what |',
    '|---|---|---|---|',
    ...rules,
    '',
    '## Scopes',
    '',
    SCOPES.map(quoted).join(', '),
    '',
  ].join('\n');
}

const quoted = (text: string): string => `\`${text}\``;

/** Every built-in tool as declared, without a home: for help, docs and `tool describe`. */
import type { DeclaredFamily } from '../catalogue/family.ts';
import { describeTool } from '../catalogue/wire-tool.ts';
import { approvalFamily } from '../tools/approval/family.ts';
import { auditFamily } from '../tools/audit/family.ts';
import { clientFamily } from '../tools/client/family.ts';
import { controlFamily } from '../tools/control/family.ts';
import { credentialFamily } from '../tools/credential/family.ts';
import { firewallFamily } from '../tools/firewall/family.ts';
import { homeFamily } from '../tools/home/family.ts';
import { memoryFamily } from '../tools/memory/family.ts';
import { permissionsFamily } from '../tools/permissions/family.ts';
import { policyFamily } from '../tools/policy/family.ts';
import { providerFamily } from '../tools/provider/family.ts';
import { providersFamily } from '../tools/providers/family.ts';
import { settingsFamily } from '../tools/settings/family.ts';
import { workspaceFamily } from '../tools/workspace/family.ts';
import { workspacesFamily } from '../tools/workspaces/family.ts';

const FAMILIES: readonly DeclaredFamily<never>[] = [
  workspaceFamily,
  memoryFamily,
  permissionsFamily,
  providerFamily,
  providersFamily,
  credentialFamily,
  firewallFamily,
  approvalFamily,
  controlFamily,
  settingsFamily,
  clientFamily,
  workspacesFamily,
  policyFamily,
  auditFamily,
  homeFamily,
];

export function describeCatalogue() {
  return FAMILIES.flatMap((family) =>
    family.tools.filter(({ internal }) => !internal).map((tool) => describe(family.name, tool)),
  );
}

export function describeResources() {
  return FAMILIES.flatMap((family) =>
    family.resources.map(({ name, title, summary, uri, mimeType, scopes }) => ({
      family: family.name,
      name,
      title,
      summary,
      uri: uri.text,
      mimeType,
      scopes,
    })),
  );
}

export function describePrompts() {
  return FAMILIES.flatMap((family) =>
    family.prompts.map(({ name, title, summary, arguments: args, scopes }) => ({
      family: family.name,
      name,
      title,
      summary,
      arguments: args,
      scopes,
    })),
  );
}

function describe(family: string, tool: DeclaredFamily<never>['tools'][number]) {
  const {
    scopes,
    roles,
    reach,
    effect,
    sandboxEligible,
    taskScoped,
    needsWorkspace,
    limits,
    write,
    example,
  } = tool;
  return {
    ...describeTool(tool, 'dotted'),
    family,
    effect,
    scopes,
    roles,
    reach,
    sandboxEligible,
    taskScoped,
    needsWorkspace,
    limits,
    write: write ?? null,
    example,
  };
}

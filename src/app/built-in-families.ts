/** The families that are always there, each bound to what it works with. */
import type { Catalogue } from '../catalogue/catalogue.ts';
import { bindFamily, type Family } from '../catalogue/family.ts';
import type { ApprovalDesk } from '../domain/governance/approvals/approval-desk.ts';
import type { HeadFile } from '../domain/governance/audit-heads.ts';
import { type Grant, grantOf, stateOf } from '../domain/governance/credentials.ts';
import type { GovernanceState } from '../domain/governance/governance-state.ts';
import type { MemoryMeaning } from '../domain/memory/nearest-items.ts';
import type { LiveSights } from '../domain/workspace/permissions/sights.ts';
import type { LiveDirectory } from '../domain/workspace/workspaces.ts';
import type { Store } from '../drivers/store/store.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { Clock } from '../kernel/clock.ts';
import { SluiceError } from '../kernel/errors.ts';
import type { CredentialId, IdSource, PrincipalId } from '../kernel/ids.ts';
import type { SecretBox } from '../kernel/ports/secret-box.ts';
import { approvalFamily } from '../tools/approval/family.ts';
import { auditFamily } from '../tools/audit/family.ts';
import { clientFamily } from '../tools/client/family.ts';
import { controlFamily } from '../tools/control/family.ts';
import { createNearestTools } from '../tools/control/finding/nearest-tools.ts';
import type { HomeMeans } from '../tools/home/backup.ts';
import { homeFamily } from '../tools/home/family.ts';
import { memoryFamily } from '../tools/memory/family.ts';
import { permissionsFamily } from '../tools/permissions/family.ts';
import { policyFamily } from '../tools/policy/family.ts';
import type { Explanation } from '../tools/policy/means.ts';
import { settingsFamily } from '../tools/settings/family.ts';
import type { ServerStatus } from '../tools/settings/means.ts';
import type { AttachmentMeans } from '../tools/workspace/attachment-means.ts';
import { workspaceFamily } from '../tools/workspace/family.ts';
import type { IndexMeans } from '../tools/workspace/index-means.ts';
import { workspacesFamily } from '../tools/workspaces/family.ts';
import { clientGrant, ownerGrant } from './local-grants.ts';

export interface FamilyParts {
  readonly store: Store;
  readonly workspace: AttachmentMeans & IndexMeans;
  readonly sights: LiveSights;
  readonly meaning?: MemoryMeaning | undefined;
  readonly governance: GovernanceState;
  readonly approvals: ApprovalDesk;
  readonly directory: LiveDirectory;
  readonly ids: IdSource;
  readonly clock: Clock;
  readonly secrets: SecretBox;
  readonly heads: HeadFile;
  /** Whose heads they are. */
  readonly writer: string;
  status(): ServerStatus;
  readonly backup: HomeMeans['backup'];
  /** The gateway is made from the catalogue, so the families that ask it get it late. */
  gateway(): Gateway;
  catalogue(): Catalogue;
}

export function builtInFamilies(parts: FamilyParts): readonly Family[] {
  const { store, governance, directory, ids, secrets } = parts;
  const policy = { state: governance, store: store.governance, ids };
  const credentials = { ...policy, secrets };
  const known = (): { tools: string[]; families: string[] } => {
    const { tools } = parts.catalogue();
    return { tools: tools.map((tool) => tool.name), families: tools.map((tool) => tool.family) };
  };
  return [
    bindFamily(workspaceFamily, parts.workspace),
    bindFamily(permissionsFamily, {
      ...parts.workspace,
      permissions: store.permissions,
      sights: parts.sights,
      knownNames: () => knownNames(governance),
      clients: async (scope) =>
        (await governance.within(scope)).credentials
          .filter((one) => one.kind === 'client' && stateOf(one, parts.clock.now()) === 'valid')
          .map((one) => grantOf(one, 'mcp-http')),
    }),
    bindFamily(memoryFamily, {
      ...parts.workspace,
      memory: store.memory,
      ...(parts.meaning && { meaning: parts.meaning }),
    }),
    bindFamily(controlFamily, {
      visibleTools: (caller) => parts.gateway().visibleTools(caller),
      toolNamed: (name) => parts.catalogue().tool(name),
      ...(parts.meaning && { nearest: createNearestTools(parts.meaning.embedder) }),
      policy: () => governance.current().policy,
      workspaces: directory,
      countPages: (scope, workspace) => store.pages.count(scope, workspace),
    }),
    bindFamily(settingsFamily, {
      ...credentials,
      status: parts.status,
      currentWorkspace: () => directory.current()?.name ?? null,
      isReadOnly: async (scope) => {
        const current = directory.current();
        return current !== undefined && (await store.permissions.rules(scope, current.id)).readOnly;
      },
      known,
    }),
    bindFamily(clientFamily, { ...credentials, workspaces: directory, known }),
    bindFamily(workspacesFamily, {
      workspaces: store.workspaces,
      permissions: store.permissions,
      sights: parts.sights,
      events: store.events,
      ids,
      directory,
    }),
    bindFamily(policyFamily, { ...policy, known, explain: (caller, tool) => explain(parts, caller, tool) }),
    bindFamily(approvalFamily, {
      desk: parts.approvals,
      governance,
      policy,
      reader: store.auditReader,
      blobs: parts.workspace.blobs,
    }),
    bindFamily(homeFamily, { backup: parts.backup }),
    bindFamily(auditFamily, {
      reader: store.auditReader,
      approvals: store.approvals,
      heads: parts.heads,
      writer: parts.writer,
    }),
  ];
}

const knownNames = (governance: GovernanceState) => {
  const { credentials, policy } = governance.current();
  const clients = credentials.filter((one) => one.kind === 'client').map((one) => one.name);
  return { role: [...policy.roles.keys()], client: clients };
};

async function explain(parts: FamilyParts, reference: string, tool: string): Promise<Explanation> {
  const grant = grantFor(parts, reference);
  const { caller, answers } = await parts.gateway().explain(grant, tool);
  return {
    caller: {
      name: caller.principal.name,
      kind: caller.principal.kind,
      role: caller.role,
      scopes: [...caller.scopes].sort(),
    },
    answers,
  };
}

function grantFor({ governance, clock }: FamilyParts, reference: string): Grant {
  if (reference === 'owner') return ownerGrant('mcp-http');
  if (reference.startsWith('role:')) return roleGrant(reference.slice('role:'.length));
  const known = governance.current().credentials.some((client) => client.name === reference);
  if (!known) {
    throw new SluiceError('not_found', `There is no client "${reference}"; "role:client" explains a role`, {
      field: 'caller',
    });
  }
  return clientGrant(governance.current(), reference, clock.now(), 'mcp-http');
}

/** As a program with that role would be seen. */
const roleGrant = (role: string): Grant => ({
  ...ownerGrant('mcp-http'),
  credential: `role:${role}` as CredentialId,
  principal: { kind: role === 'agent' ? 'agent' : 'client', id: `role:${role}` as PrincipalId, name: role },
  role,
  origin: 'agent-produced',
});

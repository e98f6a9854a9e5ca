/** Making and removing toolsets, and giving them to clients. In force the moment it is answered. */
import type { Toolset } from '../../kernel/caller.ts';
import { invalidInput, SluiceError } from '../../kernel/errors.ts';
import { requireTicket, type WriteTicket } from '../../kernel/ticket.ts';
import type { Credential } from './credentials.ts';
import type { Governance, GovernanceState } from './governance-state.ts';
import type { GovernanceStore } from './governance-store.ts';
import { checkToolset, MAX_TOOLSETS, NO_OFFER, TOOLSETS_SETTING, type ToolOffer } from './toolsets.ts';

export interface ToolsetMeans {
  readonly state: GovernanceState;
  readonly store: GovernanceStore;
}

/** Puts it in place of one with the same name. */
export async function setToolset(use: ToolsetMeans, ticket: WriteTicket, toolset: Toolset): Promise<void> {
  const { tx } = requireTicket(ticket, 'credential', 'land');
  checkToolset(toolset);
  const { toolsets } = await use.state.within(tx);
  if (!toolsets.has(toolset.name) && toolsets.size >= MAX_TOOLSETS)
    throw invalidInput('name', `would be one more than ${MAX_TOOLSETS} toolsets; remove one first`);
  const others = [...toolsets.values()].filter(({ name }) => name !== toolset.name);
  await use.store.putSetting(tx, TOOLSETS_SETTING, [...others, toolset]);
  tx.afterCommit(() => use.state.refresh());
}

export async function removeToolset(use: ToolsetMeans, ticket: WriteTicket, name: string): Promise<void> {
  const { tx } = requireTicket(ticket, 'credential', 'land');
  const governance = await use.state.within(tx);
  requireToolset(governance, name);
  const users = clientsWith(governance, name);
  if (users.length > 0)
    throw new SluiceError('conflict', `The toolset "${name}" is used by ${users.join(', ')}`, {
      reason: 'in_use',
      clients: users,
    });
  const left = [...governance.toolsets.values()].filter((toolset) => toolset.name !== name);
  await use.store.putSetting(tx, TOOLSETS_SETTING, left);
  tx.afterCommit(() => use.state.refresh());
}

/** Changes what is given and leaves the rest; null takes it away. */
export async function limitClient(
  use: ToolsetMeans,
  ticket: WriteTicket,
  name: string,
  wanted: { readonly [Field in keyof ToolOffer]?: ToolOffer[Field] | undefined },
): Promise<Credential> {
  const { tx } = requireTicket(ticket, 'credential', 'land');
  const governance = await use.state.within(tx);
  const found = governance.credentials.find(
    (known) => known.kind === 'client' && known.name === name && known.revokedAt === null,
  );
  if (!found) throw new SluiceError('not_found', `There is no client "${name}"`, { field: 'name' });
  if (wanted.toolset) requireToolset(governance, wanted.toolset);
  const before = found.offer ?? NO_OFFER;
  const offer: ToolOffer = {
    toolset: wanted.toolset === undefined ? before.toolset : wanted.toolset,
    cap: wanted.cap === undefined ? before.cap : wanted.cap,
  };
  await use.store.setOffer(tx, found.id, offer);
  tx.afterCommit(() => use.state.refresh());
  return { ...found, offer };
}

export function requireToolset({ toolsets }: Pick<Governance, 'toolsets'>, name: string): void {
  if (toolsets.has(name)) return;
  const known = [...toolsets.keys()].sort().join(', ');
  throw invalidInput('toolset', `names "${name}"; there is ${known === '' ? 'none yet' : known}`);
}

export const clientsWith = (
  { credentials }: Pick<Governance, 'credentials'>,
  toolset: string,
): readonly string[] =>
  credentials
    .filter(({ offer, revokedAt }) => offer?.toolset === toolset && revokedAt === null)
    .map(({ name }) => name);

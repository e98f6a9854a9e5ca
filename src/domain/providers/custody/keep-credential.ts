/** Keeps and removes credentials. They come in sealed, by whoever holds the home's key, and leave by no tool. */
import { SluiceError } from '../../../kernel/errors.ts';
import type { KeyRing } from '../../../kernel/ports/secret-box.ts';
import type { WriteTx } from '../../../kernel/ports/unit-of-work.ts';
import type { Submission } from '../../../kernel/submission.ts';
import { requireTicket, type WriteTicket } from '../../../kernel/ticket.ts';
import type { ProviderMeans } from '../means.ts';
import { loadProvider, requireSystem } from '../move-provider.ts';
import type { SlotStore } from '../ports/slot-store.ts';
import { checkCredentialRef } from './credential-ref.ts';
import {
  type CredentialSlot,
  checkSecret,
  checkUser,
  type OAuthFacts,
  type SlotKey,
  slotPurpose,
} from './credential-slot.ts';
import type { SlotDirectory } from './slot-directory.ts';

export interface CustodyMeans {
  readonly slots: SlotStore;
  readonly directory: SlotDirectory;
  readonly secrets: Pick<KeyRing, 'open' | 'reseal'>;
  /** Ends programs and sessions that were begun with what was there before. */
  changed(key: SlotKey): Promise<void>;
}

/** What a person has given. */
export async function setCredential(
  use: CustodyMeans,
  ticket: WriteTicket,
  key: SlotKey,
  sealed: string,
): Promise<CredentialSlot> {
  const { tx, submission } = requireTicket(ticket, 'credential', 'land');
  checkKey(key);
  checkSecret(use.secrets.open(sealed, slotPurpose(key)));
  tell(use, tx, key);
  return keep(use, tx, submission, { ...key, kind: 'secret', sealed, facts: null });
}

export interface GrantToKeep extends SlotKey {
  readonly sealed: string;
  readonly facts: OAuthFacts;
  /** The provider that was connected; it takes this credential from then on, unless it names another. */
  readonly provider: string | null;
}

/** What an authorization server has given; only Sluice itself has spoken to it. */
export async function keepGrant(
  use: CustodyMeans & { readonly registry: Pick<ProviderMeans, 'providers' | 'directory'> },
  ticket: WriteTicket,
  { provider: id, ref, user, sealed, facts }: GrantToKeep,
): Promise<CredentialSlot> {
  const { tx, submission } = requireTicket(ticket, 'credential', 'land');
  requireSystem(submission);
  const { registry } = use;
  const provider = id === null ? undefined : await loadProvider(registry, tx, id);
  if (provider && provider.profile.credentialRef === null) {
    const profile = { ...provider.profile, credentialRef: ref };
    await registry.providers.put(tx, { ...provider, profile, updatedAt: submission.at });
    tx.afterCommit(() => registry.directory.refresh());
  }
  // A renewed token is the same account; one of a new consent may be another.
  if (provider) tell(use, tx, { ref, user });
  else tx.afterCommit(() => use.directory.refresh());
  return keep(use, tx, submission, { ref, user, kind: 'oauth', sealed, facts });
}

async function keep(
  use: CustodyMeans,
  tx: WriteTx,
  { at }: Submission,
  given: Omit<CredentialSlot, 'createdAt' | 'updatedAt'>,
): Promise<CredentialSlot> {
  // The key may have been exchanged while it was on its way here.
  const sealed = use.secrets.reseal(given.sealed, slotPurpose(given));
  const slot = { ...given, sealed, createdAt: use.directory.find(given)?.createdAt ?? at, updatedAt: at };
  await use.slots.put(tx, slot);
  return slot;
}

function tell(use: CustodyMeans, tx: WriteTx, key: SlotKey): void {
  tx.afterCommit(async () => {
    await use.directory.refresh();
    await use.changed(key);
  });
}

export async function removeCredential(use: CustodyMeans, ticket: WriteTicket, key: SlotKey): Promise<void> {
  const { tx } = requireTicket(ticket, 'credential', 'land');
  checkKey(key);
  if (!(await use.slots.remove(tx, key)))
    throw new SluiceError('not_found', `There is no credential ${describeSlot(key)}`, { field: 'ref' });
  tell(use, tx, key);
}

function checkKey({ ref, user }: SlotKey): void {
  checkCredentialRef(ref, 'ref');
  if (user !== null) checkUser(user);
}

export const describeSlot = ({ ref, user }: SlotKey): string =>
  `"${ref}"${user === null ? '' : ` of "${user}"`}`;

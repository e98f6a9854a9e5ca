/**
 * Hands out credentials at the moment they are sent: to the provider that names them and for whoever calls. A slot
 * that is empty is never replaced by another one.
 */
import type { Clock } from '../../../kernel/clock.ts';
import type { SecretBox } from '../../../kernel/ports/secret-box.ts';
import type { Challenge, CustodyDesk, CustodyTarget, SentHeader } from '../ports/custody-desk.ts';
import { type OAuthClient, OAuthFailure, type OAuthGrant } from '../ports/oauth-client.ts';
import { UpstreamFailure } from '../ports/upstream.ts';
import { type Challenges, scopesIn } from './challenges.ts';
import { type CredentialSlot, type OAuthFacts, type SlotKey, slotPurpose } from './credential-slot.ts';
import { custodyOf, inFormat } from './custody-rules.ts';
import { refsOf } from './describe-custody.ts';
import { describeSlot } from './keep-credential.ts';
import type { SlotDirectory } from './slot-directory.ts';

export interface DeskMeans {
  readonly slots: SlotDirectory;
  readonly secrets: SecretBox;
  readonly clock: Clock;
  readonly oauth: OAuthClient;
  readonly challenges: Challenges;
  /** Keeps a renewed grant, through the pipeline, as Sluice itself. */
  keep(key: SlotKey, sealed: string, facts: OAuthFacts): Promise<void>;
}

/** One that ends so soon is renewed before it is sent. */
const MARGIN_MS = 30_000;

export function createCustodyDesk(use: DeskMeans): CustodyDesk {
  const renew = singleFlight((target, slot) => renewGrant(use, target, slot));
  return {
    async header(target, user) {
      const { credentialRef: ref } = target;
      if (ref === null) return undefined;
      const slot = slotOf(use, target, user, ref);
      if (slot.kind === 'oauth') return bearer(await currentGrant(use, renew, target, slot));
      const { header, format } = custodyOf(target);
      return { name: header, value: inFormat(format, openSlot(use, target, slot)) };
    },
    refused: (target, user, challenge, sent) => refused(use, renew, target, user, challenge, sent),
    given: (target, user) => givenTo(use, target, user),
    async environment(target, user) {
      const variables = Object.entries(custodyOf(target).environment);
      return Object.fromEntries(
        variables.map(([name, ref]) => [name, openSlot(use, target, slotOf(use, target, user, ref))]),
      );
    },
  };
}

function givenTo(use: DeskMeans, target: CustodyTarget, user: string | null): readonly string[] {
  const { perUser } = custodyOf(target);
  return [...refsOf(target)].flatMap((ref) => {
    const slot = use.slots.find({ ref, user: perUser ? user : null });
    if (!slot || (perUser && user === null)) return [];
    try {
      return slot.kind === 'oauth' ? readGrant(use, target, slot).accessToken : openSlot(use, target, slot);
    } catch {
      // What cannot be opened was never given to anybody.
      return [];
    }
  });
}

type Renew = (target: CustodyTarget, slot: CredentialSlot) => Promise<OAuthGrant>;

/** However many calls find a grant too old, it is renewed once: a second try would void the first one's. */
function singleFlight(work: Renew): Renew {
  const underWay = new Map<string, Promise<OAuthGrant>>();
  return (target, slot) => {
    const name = slotPurpose(slot);
    const known = underWay.get(name);
    if (known) return known;
    const begun = work(target, slot).finally(() => underWay.delete(name));
    underWay.set(name, begun);
    return begun;
  };
}

const bearer = ({ accessToken }: OAuthGrant): SentHeader => ({
  name: 'authorization',
  value: `Bearer ${accessToken}`,
});

function slotOf(use: DeskMeans, target: CustodyTarget, user: string | null, ref: string): CredentialSlot {
  const key = slotKey(target, user, ref);
  const slot = use.slots.find(key);
  if (!slot) throw needed(target, key, `there is no credential ${describeSlot(key)} yet`);
  if (slot.facts && !belongsTo(slot.facts.resource, target))
    throw needed(target, key, `the credential ${describeSlot(key)} was given for ${slot.facts.resource}`);
  return slot;
}

function slotKey(target: CustodyTarget, user: string | null, ref: string): SlotKey {
  if (!custodyOf(target).perUser) return { ref, user: null };
  if (user === null) throw needed(target, { ref, user }, 'every caller has a credential of its own');
  return { ref, user };
}

/** What was given for one server is never sent to another, whatever a profile says. */
const belongsTo = (resource: string, { transport }: CustodyTarget): boolean =>
  transport.kind === 'streamable_http' && new URL(resource).origin === new URL(transport.url).origin;

function openSlot(use: DeskMeans, target: CustodyTarget, slot: CredentialSlot): string {
  try {
    return use.secrets.open(slot.sealed, slotPurpose(slot));
  } catch {
    throw needed(target, slot, `the credential ${describeSlot(slot)} was sealed with another key`);
  }
}

const readGrant = (use: DeskMeans, target: CustodyTarget, slot: CredentialSlot): OAuthGrant =>
  JSON.parse(openSlot(use, target, slot)) as OAuthGrant;

async function currentGrant(
  use: DeskMeans,
  renew: Renew,
  target: CustodyTarget,
  slot: CredentialSlot,
): Promise<OAuthGrant> {
  const grant = readGrant(use, target, slot);
  const now = use.clock.now();
  if (grant.expiresAt === null || grant.expiresAt - MARGIN_MS > now) return grant;
  if (grant.refreshToken !== null) return renew(target, slot);
  if (grant.expiresAt > now) return grant;
  throw needed(target, slot, `the credential ${describeSlot(slot)} has expired`);
}

async function renewGrant(use: DeskMeans, target: CustodyTarget, slot: CredentialSlot): Promise<OAuthGrant> {
  const grant = readGrant(use, target, slot);
  try {
    const renewed = await use.oauth.refresh(target, grant);
    await use.keep(slot, use.secrets.seal(JSON.stringify(renewed), slotPurpose(slot)), factsOf(renewed));
    return renewed;
  } catch (error) {
    if (!(error instanceof OAuthFailure)) throw error;
    if (!error.refused && (grant.expiresAt === null || grant.expiresAt > use.clock.now())) return grant;
    // Another gateway may have renewed it a moment earlier.
    await use.slots.refresh();
    const now = use.slots.find(slot);
    if (now && now.sealed !== slot.sealed) return readGrant(use, target, now);
    if (!error.refused) throw new UpstreamFailure('connect', error.message, false);
    throw needed(target, slot, `the credential ${describeSlot(slot)} cannot be renewed: ${error.message}`);
  }
}

async function refused(
  use: DeskMeans,
  renew: Renew,
  target: CustodyTarget,
  user: string | null,
  challenge: Challenge,
  sent: SentHeader | undefined,
): Promise<boolean> {
  const { status, error, scope } = challenge;
  if (status === 403 && error !== 'insufficient_scope') return false;
  const key = slotKey(target, user, target.credentialRef ?? `grant://${target.id}`);
  use.challenges.note(target.id, key.user, challenge);
  if (target.credentialRef === null) throw needed(target, key, 'it wants a credential');
  if (status === 403)
    throw needed(target, key, `it wants more than was granted (${scopesIn(scope).join(' ')})`);
  const slot = slotOf(use, target, user, key.ref);
  if (slot.kind === 'oauth') {
    const grant = readGrant(use, target, slot);
    if (bearer(grant).value !== sent?.value) return true;
    if (grant.refreshToken !== null && (await renew(target, slot)).accessToken !== grant.accessToken)
      return true;
  }
  throw needed(target, slot, `it did not accept the credential ${describeSlot(key)}`);
}

export const factsOf = (grant: OAuthGrant): OAuthFacts => ({
  issuer: grant.registration.issuer,
  resource: grant.resource,
  scopes: grant.scopes,
  expiresAt: grant.expiresAt,
  renewable: grant.refreshToken !== null,
});

function needed(target: CustodyTarget, { ref, user }: SlotKey, why: string): UpstreamFailure {
  const whose = user === null ? '' : ` --user ${user}`;
  const command = ref.startsWith('grant://')
    ? `sluice provider connect ${target.id}${whose}`
    : `sluice credential set ${ref}${whose}`;
  return new UpstreamFailure('credential', `${why}; to connect it: ${command}`, false);
}

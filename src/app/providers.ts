/** Upstream servers in this process: what is known of them, the calls to them, and their tools in the catalogue. */
import type { Family } from '../catalogue/family.ts';
import { bindFamily } from '../catalogue/family.ts';
import type { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import { BUILT_IN } from '../catalogue/registration.ts';
import { childEnvironment } from '../config/child-environment.ts';
import { sealedOwnerToken } from '../domain/governance/manage-credentials.ts';
import type { PolicyMeans } from '../domain/governance/manage-policy.ts';
import { KEEP_FORMER_MS } from '../domain/governance/rotate-key.ts';
import type { SlotKey } from '../domain/providers/custody/credential-slot.ts';
import { describeCustody } from '../domain/providers/custody/describe-custody.ts';
import { sealedSlots } from '../domain/providers/custody/reseal-slots.ts';
import type { SlotDirectory } from '../domain/providers/custody/slot-directory.ts';
import { deriveApproval } from '../domain/providers/firewall/derive-approval.ts';
import { createProviderFirewall } from '../domain/providers/firewall/provider-firewall.ts';
import { createLiveProviders, type LiveProviders } from '../domain/providers/live-providers.ts';
import { createProviderDirectory, type ProviderDirectory } from '../domain/providers/provider-directory.ts';
import { findShadowing } from '../domain/providers/shadowing.ts';
import { WaitingCalls } from '../domain/providers/waiting-calls.ts';
import { createLongAnswers } from '../drivers/firewall/long-answers.ts';
import { createUpstreams } from '../drivers/mcp-upstream/upstreams.ts';
import type { Store } from '../drivers/store/store.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { Clock } from '../kernel/clock.ts';
import type { IdSource } from '../kernel/ids.ts';
import type { Log } from '../kernel/log.ts';
import type { BlobStore } from '../kernel/ports/blob-store.ts';
import type { KeyRing } from '../kernel/ports/secret-box.ts';
import type { ReadScope } from '../kernel/ports/unit-of-work.ts';
import { credentialFamily } from '../tools/credential/family.ts';
import { firewallFamily } from '../tools/firewall/family.ts';
import { providerFamily } from '../tools/provider/family.ts';
import type { ProviderFamilyMeans, UnconfirmedCall } from '../tools/provider/means.ts';
import { upstreamFamily } from '../tools/provider/upstream-tools.ts';
import { providersFamily } from '../tools/providers/family.ts';
import type { ReadResultMeans } from '../tools/providers/means.ts';
import { openCustody } from './custody.ts';
import { rulesInForce } from './firewall-rules.ts';
import { systemGrant } from './local-grants.ts';

export interface ProviderPart {
  readonly directory: ProviderDirectory;
  readonly slots: SlotDirectory;
  readonly families: readonly Family[];
  /** Puts the admitted tools into the catalogue, now and whenever something changes. */
  offer(catalogue: LiveCatalogue): void;
  /** Brings back what was being discovered when an earlier process was killed. */
  endDiscoveries(): Promise<void>;
  /** Takes away master keys that nothing needs any more. */
  forgetKeys(): Promise<void>;
  close(): Promise<void>;
}

export async function openProviders(use: {
  readonly store: Store;
  readonly blobs: BlobStore;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly secrets: KeyRing;
  readonly policy: PolicyMeans;
  readonly log: Log;
  /** Classes of sensitive text that the owner wants to be asked about. */
  heldClasses(): readonly string[];
  gateway(): Gateway;
  catalogue(): LiveCatalogue;
}): Promise<ProviderPart> {
  const directory = await createProviderDirectory({ units: use.store.units, store: use.store.providers });
  const act = actAsSystem(use.gateway);
  const custody = await openCustody({ ...use, directory, act });
  const live: LiveProviders = createLiveProviders({
    directory,
    clock: use.clock,
    upstreams: createUpstreams({
      clock: use.clock,
      environment: childEnvironment(),
      custody: custody.desk,
    }),
    marksChanged: () => use.gateway().listsChanged(),
    async quarantine(id, shown) {
      const what = 'problem' in shown ? shown : { surface: shown };
      await act('provider.quarantine_for_drift', { id, ...what });
    },
  });
  const waiting = new WaitingCalls();
  const longAnswers = createLongAnswers();
  const firewall = createProviderFirewall(rulesInForce(use.policy.state, use.log), longAnswers);
  const means: ProviderFamilyMeans = {
    providers: use.store.providers,
    answers: use.store.answers,
    blobs: use.blobs,
    secrets: use.secrets,
    directory,
    live,
    waiting,
    act,
    reservedIds: () => ownNames(use.catalogue()),
    credentials: (profile) => describeCustody(profile, custody.slots),
    ...firewall,
    unconfirmed: (scope, provider) => unconfirmedCalls(use.store, scope, provider),
    screen: (surface, id) => [
      ...firewall.screen(surface, directory.find(id)?.profile.allowedHosts),
      ...findShadowing(surface, id, directory.all(), ownTools(use.catalogue())),
    ],
    inspect: async (...given) => deriveApproval(await firewall.inspect(...given), use.heldClasses()),
  };
  const credentials = {
    slots: use.store.slots,
    directory: custody.slots,
    secrets: use.secrets,
    connections: custody.connections,
    registry: means,
    changed: (key: SlotKey) => live.credentialChanged(key),
  };
  const rotation = {
    keys: use.secrets,
    shared: use.store.shared,
    sealed: [sealedSlots(credentials), sealedOwnerToken({ ...use.policy, secrets: use.secrets })],
  };
  return {
    directory,
    slots: custody.slots,
    families: [
      bindFamily(providerFamily, means),
      bindFamily(firewallFamily, { rules: firewall.rules, policy: use.policy }),
      bindFamily(credentialFamily, { ...credentials, rotation }),
      bindFamily(providersFamily, { ...means, mayCall: mayCall(use.gateway) }),
    ],
    offer(catalogue) {
      const put = (): void => catalogue.setFamilies([upstreamFamily(means, directory.all())]);
      put();
      directory.onChange(put);
      endWaiting(use.gateway(), catalogue, waiting);
    },
    async endDiscoveries() {
      const left = directory
        .all()
        .filter(({ state, reasonCode }) => state === 'DISCOVERING' && reasonCode === 'discovery_started');
      for (const { profile } of left)
        await act('provider.note_discovery', {
          id: profile.id,
          failure: 'Sluice was ended meanwhile',
          interrupted: true,
        });
    },
    async forgetKeys() {
      if (use.secrets.hasFormer(use.clock.now(), KEEP_FORMER_MS)) await act('credential.forget_keys', {});
    },
    async close() {
      await live.close();
      await longAnswers.close();
    },
  };
}

/** What waits for somebody ends with the right it was called with, as what is under way does. */
function endWaiting(gateway: Gateway, catalogue: LiveCatalogue, waiting: WaitingCalls): void {
  const may = mayCall(() => gateway);
  gateway.onChange((change) => {
    if (change.kind === 'revoked')
      waiting.giveUpWhere(({ caller }) => caller.credential === change.credential);
    else if (!gateway.enabled()) waiting.giveUpWhere(() => true);
    else
      waiting.giveUpWhere(({ caller, entry }) => catalogue.tool(entry) !== undefined && !may(caller, entry));
  });
}

const mayCall =
  (gateway: () => Gateway): ReadResultMeans['mayCall'] =>
  (caller, tool) =>
    gateway()
      .visibleTools(caller)
      .some(({ name }) => name === tool);

const UNCONFIRMED_SHOWN = 20;

async function unconfirmedCalls(
  { auditReader }: Store,
  scope: ReadScope,
  server: string,
): Promise<readonly UnconfirmedCall[]> {
  const found = await auditReader.list(scope, { server, status: 'unconfirmed' }, UNCONFIRMED_SHOWN);
  return found.map(({ call_id, tool_name, created_at, subject_name }) => ({
    call: call_id,
    tool: tool_name,
    at: created_at,
    by: subject_name ?? '',
  }));
}

const ownTools = (catalogue: LiveCatalogue): readonly string[] =>
  catalogue.tools.filter(({ server }) => server === BUILT_IN).map(({ name }) => name);

/** First words of our own names: a provider that had one could stand before them. */
const ownNames = (catalogue: LiveCatalogue): ReadonlySet<string> =>
  new Set([
    'sluice',
    BUILT_IN,
    ...[...catalogue.tools, ...catalogue.prompts, ...catalogue.resources]
      .filter(({ server }) => server === 'built-in')
      .flatMap(({ name, family }) => [name.split(/[._]/)[0] ?? '', name.split('.')[0] ?? '', family]),
  ]);

const actAsSystem =
  (gateway: () => Gateway): ProviderFamilyMeans['act'] =>
  async (name, input) => {
    const outcome = await gateway().call({
      target: { kind: 'tool', name, arguments: input },
      presented: { kind: 'grant', grant: systemGrant() },
      claims: { run: 'providers' },
      source: 'providers',
    });
    if (!outcome.ok) throw outcome.error;
    return outcome.answer.kind === 'tool' ? (outcome.answer.structured ?? {}) : {};
  };

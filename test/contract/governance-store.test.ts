/** The governance store: credentials, roles, rules and settings come back as they were put in, under one version. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AccessRule } from '../../src/domain/governance/access-rules.ts';
import type { Credential } from '../../src/domain/governance/credentials.ts';
import type { StoredGovernance } from '../../src/domain/governance/governance-store.ts';
import type { Role } from '../../src/domain/governance/roles.ts';
import type { CredentialId, RuleId, WorkspaceId } from '../../src/kernel/ids.ts';
import type { WriteTx } from '../../src/kernel/ports/unit-of-work.ts';
import { onEachStore } from '../support/each-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openTestStore, type TestStore } from '../support/test-store.ts';

const credential = (id: string, given: Partial<Credential> = {}): Credential => ({
  id: id as CredentialId,
  kind: 'client',
  name: `name of ${id}`,
  tokenDigest: `digest of ${id}`,
  role: 'client',
  scopes: ['workspace.read', 'workspace.propose'],
  workspace: 'w' as WorkspaceId,
  origin: 'agent-produced',
  nameForm: 'underscore',
  createdAt: 10,
  expiresAt: 20,
  revokedAt: null,
  ...given,
});

const rule = (id: string, given: Partial<AccessRule> = {}): AccessRule => ({
  id: id as RuleId,
  subjectType: 'client',
  subjectId: 'somebody',
  resourceType: 'tool',
  pattern: 'read_*',
  effect: 'deny',
  priority: -3,
  reason: 'because',
  ...given,
});

const role: Role = {
  name: 'helper',
  tools: ['read_*', '!read_secret'],
  scopes: ['workspace.read'],
  reach: 'both',
  version: 4,
};

onEachStore('the governance store', (under) => {
  let test: TestStore;
  beforeAll(async () => {
    if (under.available()) test = await openTestStore(under, temporaryFolder());
  });
  afterAll(() => test?.close());

  const store = () => test.store.governance;
  const write = (unit: (tx: WriteTx) => Promise<void>): Promise<void> => test.store.units.write({}, unit);
  const load = (): Promise<StoredGovernance> => test.store.units.read((scope) => store().load(scope));
  const version = (): Promise<number> => test.store.units.read((scope) => store().version(scope));

  it('[STORE-12] begins with nothing but a version', async () => {
    expect(await load()).toEqual({
      version: 1,
      credentials: [],
      roles: [],
      rules: [],
      removedRules: [],
      settings: new Map(),
    });
  });

  it('[STORE-12] gives back what it was given, field by field', async () => {
    const unbound = credential('b', { scopes: null, workspace: null, expiresAt: null, createdAt: 5 });
    const offer = { toolset: null, cap: 40 };
    await write((tx) => store().addCredential(tx, credential('a')));
    await write((tx) => store().addCredential(tx, unbound));
    await write((tx) => store().putRole(tx, role));
    await write((tx) => store().putRule(tx, rule('r1')));
    await write((tx) => store().putRule(tx, rule('r2', { subjectType: 'system', subjectId: null })));
    await write((tx) =>
      store().addCredential(tx, credential('limited', { offer: { toolset: 'x', cap: null } })),
    );
    await write((tx) => store().setOffer(tx, 'limited' as CredentialId, offer));
    const odd = { list: [1, 'two', null], text: '漢字 "quoted"' };
    await write((tx) => store().putSetting(tx, 'odd', odd));
    const loaded = await load();
    expect(loaded.credentials).toEqual([unbound, credential('a'), credential('limited', { offer })]);
    expect(loaded.roles).toEqual([role]);
    expect(loaded.rules).toEqual([rule('r1'), rule('r2', { subjectType: 'system', subjectId: null })]);
    expect(loaded.settings.get('odd')).toEqual(odd);
  });

  it('[STORE-12] replaces roles and settings, revokes credentials, and remembers rules that were taken away', async () => {
    await write((tx) => store().putRole(tx, { ...role, tools: [], version: 5 }));
    await write((tx) => store().putSetting(tx, 'odd', false));
    await write((tx) => store().revokeCredential(tx, 'a' as CredentialId, 99));
    await write((tx) => store().removeRule(tx, 'r1' as RuleId));
    await write((tx) => store().removeRule(tx, 'default:client:workspace' as RuleId));
    await write((tx) => store().removeRule(tx, 'default:client:workspace' as RuleId));
    const loaded = await load();
    expect(loaded.roles).toEqual([{ ...role, tools: [], version: 5 }]);
    expect(loaded.settings.get('odd')).toBe(false);
    expect(loaded.credentials.find(({ id }) => id === 'a')?.revokedAt).toBe(99);
    expect(loaded.rules.map(({ id }) => id)).toEqual(['r2']);
    expect(loaded.removedRules.toSorted()).toEqual(['default:client:workspace', 'r1']);
  });

  it('[STORE-12] raises the version with every write that lands, and with none that does not', async () => {
    const changes: ((tx: WriteTx) => Promise<void>)[] = [
      (tx) => store().addCredential(tx, credential('c')),
      (tx) => store().revokeCredential(tx, 'c' as CredentialId, 1),
      (tx) => store().putRole(tx, role),
      (tx) => store().putRule(tx, rule('r3')),
      (tx) => store().removeRule(tx, 'r3' as RuleId),
      (tx) => store().putSetting(tx, 'x', 1),
    ];
    for (const change of changes) {
      const before = await version();
      await write(change);
      expect(await version()).toBe(before + 1);
    }
    const before = await version();
    const failing = write(async (tx) => {
      await store().putSetting(tx, 'x', 2);
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(await version()).toBe(before);
  });

  it('[STORE-12] lets no two credentials share a token, nor two live ones a name', async () => {
    const same = credential('d', { tokenDigest: 'digest of a' });
    await expect(write((tx) => store().addCredential(tx, same))).rejects.toThrow();
    const namesake = credential('e', { name: 'name of b' });
    await expect(write((tx) => store().addCredential(tx, namesake))).rejects.toThrow();
    // The name of a revoked one is free again.
    await write((tx) => store().addCredential(tx, credential('f', { name: 'name of a' })));
    expect((await load()).credentials.map(({ id }) => id).toSorted()).toEqual([
      'a',
      'b',
      'c',
      'f',
      'limited',
    ]);
  });
});
